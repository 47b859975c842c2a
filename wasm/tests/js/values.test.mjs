// Every value that is known to be lost or changed on the way into other Wasm modules.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { keyOfJson, outcome } from "./package.mjs";

const is = (payload, expected) => assert.equal(outcome(payload), expected);

test("lone surrogates are refused, in values and names", () => {
  for (const text of ["\ud800", "\udfff", "a\ud800b", "\ud83d", "é".repeat(200) + "\udc00", "\ude00\ud83d"]) {
    is({ note: text }, "text_not_unicode at note");
    is({ note: "a", [text]: 1 }, "text_not_unicode");
    is({ note: "a", inner: { [text]: 1 } }, "text_not_unicode at inner");
    is({ note: "a", to: ["b", text] }, "text_not_unicode at to[1]");
  }
  is({ note: "😀" }, keyOfJson({ note: "😀" }));
  is({ note: "a", junk: "\ud800" }, keyOfJson({ note: "a" }));
});

test("numbers are doubles, and what parsers do not agree on is refused", () => {
  for (const number of [NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1e21]) {
    is({ note: "a", amount: number }, "number_unsafe at amount");
    is({ note: "a", count: number }, "number_unsafe at count");
  }
  is({ note: "a", amount: 2 ** 53 - 1 }, keyOfJson({ note: "a", amount: "9007199254740991.00" }));
  is({ note: "a", amount: -0 }, keyOfJson({ note: "a", amount: "0" }));
  is({ note: "a", amount: 0.1 + 0.2 }, keyOfJson({ note: "a", amount: "0.30" }));
  is({ note: "a", raw: 5 }, "field_type at raw");
});

test("a BigInt is its exact digits, for decimal and integer alone", () => {
  is({ note: "a", count: 10n }, keyOfJson({ note: "a", count: "10" }));
  is({ note: "a", count: 9_007_199_254_740_993n }, keyOfJson({ note: "a", count: "9007199254740993" }));
  is({ note: "a", amount: -(10n ** 25n) }, keyOfJson({ note: "a", amount: `-1${"0".repeat(25)}` }));
  is({ note: "a", count: 10n ** 40n }, "decimal_out_of_range at count");
  is({ note: "a", count: -(1n << 100_000n) }, "decimal_out_of_range at count");
  is({ note: 5n }, "field_type at note");
  is({ note: "a", raw: 5n }, "field_type at raw");
});

test("undefined is absent, null is not", () => {
  is({ note: undefined }, "field_missing at note");
  is({ note: null }, "field_null at note");
  is({ note: "a", memo: undefined, unknown: undefined }, keyOfJson({ note: "a" }));
  is({ note: "a", memo: null }, "field_null at memo");
  is({ note: "a", to: [undefined] }, "field_type at to[0]");
  is({ note: "a", to: [null] }, "field_null at to[0]");
});

test("what JSON has no kind for is refused where a rule meets it", () => {
  class Money {
    amount = 5;
  }
  const foreign = [
    new Date(0), new String("a"), new Number(5), new Boolean(true), Object(5n), Object(Symbol()),
    () => "a", function named() {}, class {}, Symbol("a"), new Money(), /a/, new Error("a"), new Set(["a"]),
    new WeakMap(), Promise.resolve("a"), new Uint8Array(2), new ArrayBuffer(2), new DataView(new ArrayBuffer(2)),
    Buffer.from("a"), new URL("a:b"), globalThis, Math,
    Object.create({ note: "inherited" }), Object.create(Object.create(null)),
    Object.setPrototypeOf(new Date(0), Object.prototype), Object.setPrototypeOf(new Number(5), null),
    (function () { return arguments; })("a"), new (class extends Array {})(), new (class extends Map {})(),
    runInNewContext("new Date(0)"), runInNewContext("new (class A { a = 1 })()"),
  ];
  for (const value of foreign) {
    is({ note: value }, "field_type at note");
    is({ note: "a", inner: value }, "field_type at inner");
    is({ note: "a", items: value }, "field_type at items");
    is({ note: "a", to: [value] }, "field_type at to[0]");
    is({ note: "a", items: [{ sku: "b" }, value] }, "field_type at items[1]");
    is({ note: "a", unknown: value }, "field_unclassified at unknown");
    is({ note: "a", junk: value }, keyOfJson({ note: "a" }));
    // What has hidden properties alone is an object still, of which nothing is read.
    assert.match(outcome(value), /^(payload_not_object|field_unclassified|field_type)/);
  }
  for (const value of [null, "{}", 5, true, [], [{ note: "a" }], 5n]) is(value, "payload_not_object");
  is(undefined, "intent_invalid at payload");
});

test("plain objects are plain in every realm, and so are arrays and Maps", () => {
  const expected = keyOfJson({ note: "a", inner: { name: "b" }, to: ["c"] });
  is({ note: "a", inner: { name: "b" }, to: ["c"] }, expected);
  is(Object.assign(Object.create(null), { note: "a", inner: { name: "b" }, to: ["c"] }), expected);
  is(runInNewContext('({ note: "a", inner: { name: "b" }, to: ["c"] })'), expected);
  is(runInNewContext('new Map([["note", "a"], ["inner", new Map([["name", "b"]])], ["to", ["c"]]])'), expected);
  is(new Map([["to", ["c"]], ["note", "a"], ["inner", new Map([["name", "b"], ["junk", 5]])]]), expected);
  is(Object.freeze({ note: "a", inner: { name: "b" }, to: Object.freeze(["c"]) }), expected);
  is(new Map([["note", undefined]]), "field_missing at note");
  is(new Map([["note", "a"], [5, "b"]]), "field_type");
  is({ note: "a", inner: new Map([[{}, "b"]]) }, "field_type at inner");
});

test("__proto__ is an ordinary name", () => {
  const payload = JSON.parse('{ "note": "a", "__proto__": "b" }');
  is(payload, outcome(new Map([["note", "a"], ["__proto__", "b"]])));
  assert.notEqual(outcome(payload), outcome({ note: "a" }));
  is(JSON.parse('{ "note": "a", "inner": { "__proto__": { "x": 1 } } }'), "field_unclassified at inner.__proto__.x");
  is({ note: "a", constructor: "b" }, "field_unclassified at constructor");
  is({ note: "a", toString: "b", hasOwnProperty: 5 }, "field_unclassified at hasOwnProperty,toString");
});
