// All vectors, by every way that takes them: the same bytes, or the same refusal.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Deriver, IntentKeyError, Policy, vectorsFolder } from "./package.mjs";

const read = (name) => readFileSync(new URL(name, vectorsFolder), "utf8");
const hex = (digits) => Uint8Array.from(Buffer.from(digits.trim(), "hex"));

const keyrings = {
  default: hex(read("secret.default.hex")),
  ...Object.fromEntries(
    ["ring", "ring2"].map((name) => [
      name,
      JSON.parse(read(`secret.${name}.json`)).map(({ id, from_epoch, secret_hex }) => ({
        id, fromEpoch: from_epoch, secret: hex(secret_hex),
      })),
    ]),
  ),
};

const cases = read("public.jsonl").trimEnd().split("\n").map((line) => {
  const one = JSON.parse(line);
  // The text as it stands in the file.
  const text = one.intent_text ?? line.slice(line.indexOf('"intent": ') + 10, line.lastIndexOf(', "expect": '));
  return { ...one, text };
});

const derivers = new Map();
function deriverOf({ policy, secret }) {
  const text = typeof policy === "string" ? read(`${policy}.policy.json`) : JSON.stringify(policy);
  const name = `${secret} ${text}`;
  if (!derivers.has(name)) {
    // As text for one half, as an object for the other.
    const source = derivers.size % 2 ? text : JSON.parse(text);
    derivers.set(name, new Deriver(source, keyrings[secret]));
  }
  return derivers.get(name);
}

function outcome(derive) {
  try {
    return derive();
  } catch (thrown) {
    if (!(thrown instanceof IntentKeyError)) throw thrown;
    const error = { code: thrown.code, field: thrown.field ?? null };
    if (thrown.fields) error.fields = thrown.fields;
    return { error };
  }
}

const spelled = ({ secretId, edge, ...rest }) => ({
  ...rest,
  secret_id: secretId,
  ...(edge && { edge: { ...spelled(edge) } }),
});

const without = ({ material, edge, ...rest }) => ({ ...rest, ...(edge && { edge: without(edge) }) });
const expected = ({ expect }) => (expect.error ? { error: { field: null, ...expect.error } } : without(expect));

/** Whether the intent is what JSON.parse makes of its text, and an intent of ours. */
const isParsed = ({ intent, expect }) =>
  intent !== undefined && expect.error?.code !== "field_duplicate" && Object.keys(intent).length === 4;
const ours = ({ intent: { intent_epoch, ...rest } }) => ({ ...rest, intentEpoch: intent_epoch });

test("as JSON text", () => {
  for (const one of cases) {
    const given = outcome(() => spelled(deriverOf(one).deriveJson(one.text)));
    assert.deepEqual(given, expected(one), one.id);
  }
  assert.equal(cases.length, 773);
});

test("as an object, and with the payload as JSON text", () => {
  let count = 0;
  for (const one of cases.filter(isParsed)) {
    const intent = ours(one);
    const deriver = deriverOf(one);
    assert.deepEqual(outcome(() => spelled(deriver.derive(intent))), expected(one), one.id);
    const text = { ...intent, payload: JSON.stringify(intent.payload) };
    assert.deepEqual(outcome(() => spelled(deriver.deriveJson(text))), expected(one), one.id);
    const key = outcome(() => deriver.deriveKey(intent).key);
    assert.deepEqual(key, one.expect.key ?? expected(one), one.id);
    const material = outcome(() => deriver.explain(intent).material);
    assert.deepEqual(material, one.expect.material ?? expected(one), one.id);
    count += 1;
  }
  assert.ok(count > 740, `${count} cases`);
});

test("the material, without a secret", () => {
  for (const one of cases.filter(isParsed)) {
    if (one.expect.error || Array.isArray(one.policy)) continue;
    const text = typeof one.policy === "string" ? read(`${one.policy}.policy.json`) : JSON.stringify(one.policy);
    const { bytes } = new Policy(text).material(ours(one));
    assert.equal(new TextDecoder().decode(bytes), one.expect.material, one.id);
  }
});
