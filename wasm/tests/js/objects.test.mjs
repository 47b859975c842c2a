// Objects that hide, compute, lie, throw or never end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deriver, intent, keyOfJson, outcome } from "./package.mjs";

const is = (payload, expected) => assert.equal(outcome(payload), expected);
const fails = () => assert.fail("this must not run");

test("nothing is read from a prototype", () => {
  Object.prototype.note = "polluted";
  Object.prototype.get = fails;
  Object.prototype.value = "polluted";
  try {
    is({}, "field_missing at note");
    is({ note: "a" }, keyOfJson({ note: "a" }));
    is({ get note() { return "a"; } }, "field_type at note");
  } finally {
    delete Object.prototype.note;
    delete Object.prototype.get;
    delete Object.prototype.value;
  }
});

test("accessors, hidden properties and names that are symbols are refused, and no getter runs", () => {
  is({ get note() { return fails(); } }, "field_type at note");
  is({ note: "a", set memo(value) {} }, "field_type at memo");
  is({ note: "a", inner: { get name() { return fails(); } } }, "field_type at inner.name");
  is({ note: "a", get unknown() { return fails(); } }, "field_unclassified at unknown");
  is(Object.defineProperty({}, "note", { value: "a" }), "field_type at note");
  is(Object.defineProperty({ note: "a" }, "memo", { value: "b", enumerable: false }), "field_type at memo");
  is({ note: "a", inner: { [Symbol("x")]: 1 } }, "field_type at inner");
  is({ note: "a", [Symbol("x")]: 1 }, "field_type");
  is({ note: 5, [Symbol("x")]: 1 }, "field_type");
  is({ note: "a", unknown: 1, [Symbol("x")]: 1 }, "field_unclassified at unknown");
});

test("nothing is looked at where the policy ignores", () => {
  const expected = keyOfJson({ note: "a", inner: { name: "b" }, items: [{ sku: "c" }] });
  const payload = { note: "a", inner: { name: "b" }, items: [{ sku: "c" }] };
  const traps = new Proxy({}, new Proxy({}, { get: fails }));
  const cycle = {};
  cycle.self = cycle;
  let deep = {};
  for (let level = 0; level < 5000; level++) deep = { deep };
  for (const junk of [traps, cycle, deep, new Date(), "\ud800", NaN, () => {}, "x".repeat(2 << 20), new Array(70_000).fill(1)]) {
    is({ ...payload, junk }, expected);
    is({ ...payload, inner: { name: "b", junk } }, expected);
    is({ ...payload, items: [{ sku: "c", junk }] }, expected);
    is(new Map(Object.entries({ ...payload, junk })), expected);
  }
  is({ ...payload, get junk() { return fails(); } }, expected);
  is({ ...payload, items: [{ sku: "c", get junk() { return fails(); } }] }, expected);
});

test("arrays are dense and hold nothing beside their elements", () => {
  is({ note: "a", to: ["b", , "c"] }, "field_type at to");
  is({ note: "a", to: new Array(5) }, "field_type at to");
  is({ note: "a", to: new Array(4_000_000_000) }, "field_type at to");
  is({ note: "a", to: Object.assign(["b"], { extra: 1 }) }, "field_type at to");
  is({ note: "a", to: Object.assign(["b"], { [Symbol("x")]: 1 }) }, "field_type at to");
  is({ note: "a", to: Object.defineProperty(["b"], "0", { get: fails }) }, "field_type at to[0]");
  is({ note: "a", to: Object.setPrototypeOf(["b"], Object.prototype) }, "field_type at to");
  is({ note: "a", to: { 0: "b", length: 1 } }, "field_type at to");
  is({ note: "a", to: [] }, keyOfJson({ note: "a", to: [] }));
});

test("cycles and depth are refused, and the next call works", () => {
  const expected = keyOfJson({ note: "a" });
  const cycle = { note: "a" };
  cycle.one = cycle;
  cycle.two = [cycle, cycle];
  let deep = { note: "a" };
  for (let level = 0; level < 5000; level++) deep = level % 2 ? { deep } : [deep];
  const map = new Map();
  map.set("self", map);
  for (const payload of [cycle, { note: "a", deep }, { note: "a", unknown: map }]) {
    is(payload, "payload_too_deep");
    is({ note: "a" }, expected);
  }
  const nested = (levels) => {
    let inner = "x";
    for (let level = 1; level < levels; level++) inner = { inner };
    return { note: "a", unknown: inner };
  };
  is(nested(63 + 1), `field_unclassified at ${`unknown${".inner".repeat(63)}`.slice(0, 64)}`);
  is(nested(64 + 1), "payload_too_deep");
});

test("size has its limits", () => {
  is({ note: "x".repeat((1 << 20) + 1) }, "payload_too_large");
  is({ note: "é".repeat((1 << 19) + 1) }, "payload_too_large");
  is({ note: "a", ["x".repeat(1 << 20)]: 1 }, "payload_too_large");
  is({ note: "a", to: new Array(70_000).fill("b") }, "payload_too_large");
  is({ note: "a", to: new Array(65_533).fill("b") }, keyOfJson({ note: "a", to: new Array(65_533).fill("b") }));
  is({ note: "a", to: new Array(65_534).fill("b") }, "payload_too_large");
  const wide = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`n${index}`, 1]));
  is({ note: "a", ...wide }, "payload_too_large");
  is({ note: "x".repeat(1 << 26) }, "payload_too_large");
});

test("a proxy is read by its traps, and what they throw is field_type", () => {
  const expected = keyOfJson({ note: "a" });
  is(new Proxy({ note: "a" }, {}), expected);
  is({ note: "a", inner: new Proxy({ name: "b" }, { get: fails }) }, keyOfJson({ note: "a", inner: { name: "b" } }));
  const hostile = [
    new Error("no"), "text", undefined, null, new RangeError("Maximum call stack size exceeded"),
    new Proxy({}, { getPrototypeOf() { throw new Error("no"); }, get() { throw new Error("no"); } }),
  ];
  for (const thrown of hostile) {
    for (const trap of ["ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf"]) {
      const handler = { [trap]() { throw thrown; } };
      is({ note: "a", inner: new Proxy({ name: "b" }, handler) }, "field_type at inner");
      is({ note: "a", to: new Proxy(["b"], handler) }, "field_type at to");
      is(new Proxy({ note: "a" }, handler), "payload_not_object");
      is({ note: "a" }, expected);
    }
  }
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  is({ note: "a", inner: proxy }, "field_type at inner");
  is(proxy, "payload_not_object");
  is({ note: "a", to: new Proxy(["b"], { getOwnPropertyDescriptor: (_, name) => (name === "0" ? undefined : Reflect.getOwnPropertyDescriptor(["b"], name)) }) }, "field_type at to[0]");
});

test("a proxy that derives, or frees, while it is read", () => {
  const inside = [];
  const payload = () => ({
    note: "outer",
    inner: new Proxy({ name: "b" }, {
      ownKeys(target) {
        inside.push(outcome({ note: "inner" }), outcome({ note: 5 }), outcome({ note: "x".repeat(100_000) }).length);
        return Reflect.ownKeys(target);
      },
    }),
  });
  is(payload(), keyOfJson({ note: "outer", inner: { name: "b" } }));
  assert.deepEqual(inside.slice(0, 3), [keyOfJson({ note: "inner" }), "field_type at note", 64]);
  assert.equal(deriver.deriveBatch([intent(payload()), intent({ note: "z" })])[1].key, keyOfJson({ note: "z" }));
});
