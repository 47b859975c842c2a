// Memory: what is given back, what stays flat, and what no input breaks.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

// The module's memory, seen from outside.
let memory;
const { Instance } = WebAssembly;
WebAssembly.Instance = new Proxy(Instance, {
  construct(target, values) {
    const made = Reflect.construct(target, values);
    memory = made.exports.memory;
    return made;
  },
});
const { attempt, Deriver, deriver, document, folder, init, intent, keyOfJson, outcome, Policy, secret } = await import("./package.mjs");
WebAssembly.Instance = Instance;

test("init() can be awaited in every runtime", async () => {
  await init();
  await init();
});

test("100,000 refused inputs, then the right key, and memory flat", () => {
  const expected = keyOfJson({ note: "a" });
  const cycle = { note: "a" };
  cycle.self = cycle;
  const hostile = [
    {}, { note: 5 }, { note: "\ud800" }, { note: new Date() }, null, undefined, cycle, { note: "a", x: { y: [1, 2] } },
    { note: "a", inner: new Proxy({}, { ownKeys() { throw new Error("no"); } }) }, { note: "x".repeat(2000), z: 1 },
  ];
  const round = (rounds) => {
    for (let index = 0; index < rounds; index++) {
      assert.notEqual(outcome(hostile[index % hostile.length]), expected);
    }
  };
  round(1000);
  const before = memory.buffer.byteLength;
  round(100_000);
  assert.equal(memory.buffer.byteLength, before);
  assert.equal(outcome({ note: "a" }), expected);
});

test("what is freed gives its memory back and derives nothing any more", () => {
  const one = () => {
    const held = new Deriver(document, secret());
    held.derive(intent({ note: "a" }));
    held.free();
    held.free();
    return held;
  };
  for (let index = 0; index < 100; index++) one();
  const before = memory.buffer.byteLength;
  for (let index = 0; index < 5000; index++) one();
  assert.equal(memory.buffer.byteLength, before);
  const held = one();
  for (const verb of ["derive", "deriveKey", "deriveJson", "fingerprint", "explain"]) {
    assert.throws(() => held[verb](verb === "deriveJson" ? "{}" : intent({ note: "a" })), TypeError);
  }
  assert.throws(() => held.handshake(), TypeError);
  const policy = new Policy(document);
  policy[Symbol.dispose]();
  assert.throws(() => policy.material(intent({ note: "a" })), TypeError);
  assert.equal(Deriver.prototype[Symbol.dispose], Deriver.prototype.free);
});

test("a proxy that frees the deriver while it is read", () => {
  const held = new Deriver(document, secret());
  const payload = new Proxy({ note: "a" }, { ownKeys(target) { held.free(); return Reflect.ownKeys(target); } });
  assert.throws(() => held.derive(intent(payload)), TypeError);
  assert.equal(outcome({ note: "a" }), keyOfJson({ note: "a" }));
});

test("a call at the end of the host's stack leaves all in order", () => {
  const expected = keyOfJson({ note: "a" });
  const payload = { note: "Ünïcödé", inner: { name: "b" }, to: ["c"] };
  const right = keyOfJson(payload);
  let wrong = 0;
  const dive = () => {
    try {
      dive();
    } catch {
      try {
        const given = outcome(payload);
        if (given !== right && !given.startsWith("field_type")) wrong++;
      } catch {}
    }
  };
  for (let round = 0; round < 20; round++) dive();
  assert.equal(wrong, 0);
  assert.equal(outcome({ note: "a" }), expected);
  assert.equal(outcome(payload), right);
});

test("no copy of a secret stays in the module's memory", () => {
  const marked = Uint8Array.from({ length: 48 }, (_, index) => 0x80 ^ ((index * 37) & 0xff));
  const held = [
    new Deriver(document, marked),
    new Deriver(document, [{ id: "a", fromEpoch: 0, secret: marked }, { id: "b", fromEpoch: 900, secret: secret() }]),
  ];
  attempt(() => new Deriver({ ...document, name: "" }, marked));
  attempt(() => new Deriver(document, [{ id: "a", fromEpoch: 0, secret: marked }, { id: "a", fromEpoch: 900, secret: marked }]));
  const bytes = Buffer.from(memory.buffer);
  // HMAC keeps the state after the key block, not the key.
  for (let from = 0; from + 16 <= marked.length; from += 8) {
    assert.equal(bytes.indexOf(marked.subarray(from, from + 16)), -1);
  }
  assert.equal(held.length, 2);
});

test("it works without FinalizationRegistry and Symbol.dispose", () => {
  const script = `
    delete globalThis.FinalizationRegistry;
    delete String.prototype.isWellFormed;
    const { Deriver } = await import(${JSON.stringify(pathToFileURL(`${folder}/node.js`))});
    const deriver = new Deriver(${JSON.stringify(document)}, Uint8Array.from({ length: 32 }, (_, index) => index + 1));
    const key = (note) => { try { return deriver.deriveKey({ tenant: "acme", action: "pay", intentEpoch: 1767225700, payload: { note } }).key } catch ({ code }) { return code } };
    console.log(key("a"), key("\\ud800é"), key("é\\ud83d\\ude00"));
    deriver.free();`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  assert.equal(printed.trim(), `${deriver.deriveKey(intent({ note: "a" })).key} text_not_unicode ${outcome({ note: "é😀" })}`);
});
