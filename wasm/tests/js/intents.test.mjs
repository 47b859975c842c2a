// The intent's own members, and the ways to ask.

import assert from "node:assert/strict";
import { test } from "node:test";
import { attempt, deriver, Deriver, document, EPOCH, intent, IntentKeyError, keyOfJson, policyText, secret } from "./package.mjs";

const whole = intent({ note: "a" });
const verbs = ["derive", "deriveKey", "fingerprint", "explain"];
const is = (value, expected) => {
  for (const verb of verbs) assert.equal(attempt(() => deriver[verb](value)), expected, verb);
};

test("a member that is missing, unknown or no text is named", () => {
  for (const [name, field] of [["tenant", "tenant"], ["action", "action"], ["intentEpoch", "intent_epoch"], ["payload", "payload"]]) {
    const { [name]: _, ...rest } = whole;
    is(rest, `intent_invalid at ${field}`);
    is({ ...whole, [name]: undefined }, `intent_invalid at ${field}`);
  }
  is({ ...whole, extra: 1 }, "intent_invalid at extra");
  is({ ...whole, intent_epoch: 1 }, "intent_invalid at intent_epoch");
  is({ ...whole, [Symbol("x")]: 1 }, "intent_invalid");
  assert.equal(deriver.derive({ ...whole, extra: undefined }).key, deriver.derive(whole).key);
});

test("argument types are checked", () => {
  for (const value of [undefined, null, 5, "text", [], () => {}, new Date(), Object.create(whole), new Map(Object.entries(whole))]) {
    is(value, "intent_invalid");
  }
  for (const value of [5, null, {}, ["acme"], new String("acme"), true, 5n, Symbol("x"), "\ud800", () => "acme"]) {
    is({ ...whole, tenant: value }, "intent_invalid at tenant");
    is({ ...whole, action: value }, "intent_invalid at action");
  }
  for (const value of ["5", null, -1, 0.5, NaN, Infinity, {}, true, 5n, new Date(), new Number(5)]) {
    is({ ...whole, intentEpoch: value }, "epoch_invalid");
  }
  is({ ...whole, intentEpoch: EPOCH * 1000 }, "epoch_in_milliseconds");
  is({ ...whole, tenant: "" }, "tenant_empty");
  is({ ...whole, action: "Pay" }, "action_unknown");
  is({ get tenant() { assert.fail("must not run"); }, action: "pay", intentEpoch: EPOCH, payload: {} }, "intent_invalid at tenant");
  is(new Proxy(whole, { ownKeys() { throw new Error("no"); } }), "intent_invalid");
});

test("what is wrong first is refused first", () => {
  let deep = {};
  for (let level = 0; level < 100; level++) deep = { deep };
  is({ tenant: 5, extra: 1, payload: { deep } }, "payload_too_deep");
  is({ ...whole, extra: 1, tenant: 5 }, "intent_invalid at extra");
  is({ ...whole, tenant: "", payload: 5 }, "payload_not_object");
  is({ ...whole, action: "x", intentEpoch: -1 }, "epoch_invalid");
});

test("JSON text shows what parsing loses", () => {
  const is = (payload, expected) => assert.equal(attempt(() => deriver.deriveJson({ ...whole, payload }).key), expected);
  is('{"note":"a","note":"b"}', "field_duplicate at note");
  is('{"note":"\\ud800"}', "text_not_unicode at note");
  is('{"note":"\ud800"}', "text_not_unicode at note");
  is('{"note":"a","\udfff":1}', "text_not_unicode");
  is('{"note":"a","junk":"\ud800\\ud800"}', keyOfJson({ note: "a" }));
  is('{"note":"\\\ud800"}', "json_malformed");
  is('{"note":"\\\\\ud800"}', "text_not_unicode at note");
  is('{"note":"a"} \ud800', "json_malformed");
  is('{"note":"\ud83d\ude00"}', keyOfJson({ note: "😀" }));
  is("{", "json_malformed");
  is("[]", "payload_not_object");
  is(`{"note":"a"}${" ".repeat(4 << 20)}`, "payload_too_large");
  for (const value of [5, null, {}, new String("{}"), true]) is(value, "intent_invalid at payload");
  is(undefined, "intent_invalid at payload");
});

test("an intent can be JSON text as a whole", () => {
  const text = JSON.stringify({ tenant: "acme", action: "pay", intent_epoch: EPOCH, payload: { note: "a" } });
  assert.deepEqual(deriver.deriveJson(text), deriver.derive(whole));
  assert.equal(attempt(() => deriver.deriveJson(text.replace("{", '{"tenant":"acme",'))), "intent_invalid at tenant");
  assert.equal(attempt(() => deriver.deriveJson("5")), "intent_invalid");
});

test("every way to ask gives the same", () => {
  const derived = deriver.derive(whole);
  const { fingerprint, ...key } = derived;
  assert.deepEqual(deriver.deriveKey(whole), key);
  assert.equal(deriver.fingerprint(whole), fingerprint);
  const { material, fields, ...explained } = deriver.explain(whole);
  assert.deepEqual(explained, derived);
  assert.equal(material, `["acme","pay",{"note":"a"},${derived.bucket}]`);
  assert.deepEqual(fields.find(({ field }) => field === "note"), {
    field: "note", class: "identity", kind: "string", rule: "text", canonical: "a",
  });
  assert.deepEqual(deriver.deriveBatch([whole, whole]), [derived, derived]);
  assert.deepEqual(deriver.deriveBatch([whole], { fingerprints: false }), [key]);
});

test("in a batch each intent stands by itself", () => {
  const [first, second, third] = deriver.deriveBatch([whole, intent({}), 5]);
  assert.equal(first.key, deriver.derive(whole).key);
  assert.ok(second instanceof IntentKeyError);
  assert.deepEqual([second.code, second.field, third.code], ["field_missing", "note", "intent_invalid"]);
  for (const value of [undefined, whole, "text", new Set([whole]), [whole, , whole]]) {
    assert.throws(() => deriver.deriveBatch(value), TypeError);
  }
});

test("near a bucket's edge there is a second key", () => {
  const edged = new Deriver({ ...document, edge_seconds: 20 }, [
    { id: "old", fromEpoch: 0, secret: secret() },
    { id: "new", fromEpoch: 900 * 2000, secret: secret(2) },
  ]);
  const before = edged.derive({ ...whole, intentEpoch: 900 * 2000 - 1 });
  const after = edged.derive({ ...whole, intentEpoch: 900 * 2000 });
  assert.deepEqual([before.secretId, after.secretId], ["old", "new"]);
  assert.deepEqual(before.edge, after.edge);
  assert.equal(before.edge.secretId, "new");
  const { fingerprint, ...edge } = before.edge;
  assert.deepEqual(edged.deriveKey({ ...whole, intentEpoch: 900 * 2000 - 1 }).edge, edge);
  const [explained] = [edged.explain({ ...whole, intentEpoch: 900 * 2000 })];
  assert.equal(explained.edge.material, '["acme","pay",{"note":"a"},"edge",2000]');
  assert.equal("edge" in edged.derive({ ...whole, intentEpoch: 900 * 2000 + 100 }), false);
});

test("keys from ids", () => {
  const recorded = { tenant: "acme", id: "order-1", intentEpoch: EPOCH };
  assert.match(deriver.keyFromId(recorded), /^[0-9a-f]{64}$/);
  assert.notEqual(deriver.keyFromId(recorded), deriver.keyFromId({ ...recorded, id: "order-2" }));
  const is = (value, expected) => assert.equal(attempt(() => deriver.keyFromId(value)), expected);
  is({ ...recorded, id: "" }, "identity_empty");
  is({ ...recorded, id: 5 }, "intent_invalid at id");
  is({ ...recorded, payload: {} }, "intent_invalid at payload");
  is({ tenant: "acme", intentEpoch: EPOCH }, "intent_invalid at id");
});

test("over time the policy in force says what is read", () => {
  const later = { ...document, ignored: {}, identity: { ...document.identity, junk: { rule: "exact" } } };
  const both = new Deriver(
    [{ fromEpoch: 900 * 100, policy: later }, { fromEpoch: 0, policy: policyText }],
    secret(),
  );
  const at = (intentEpoch, junk) => attempt(() => both.derive({ ...whole, intentEpoch, payload: { note: "a", junk } }).key.length);
  assert.equal(at(900 * 100 - 1, new Date()), 64);
  assert.equal(at(900 * 100, new Date()), "field_type at junk");
  assert.equal(at(900 * 100, "b"), 64);
  assert.equal(attempt(() => new Deriver([{ fromEpoch: 900, policy: document }], secret()).derive({ ...whole, intentEpoch: 5 })), "policy_missing_for_epoch");
});

test("a refusal is an error with what JSON shows of it", () => {
  const caught = deriver.deriveBatch([intent({ b: 1, a: { "x.y": 2 } })])[0];
  assert.ok(caught instanceof Error);
  assert.equal(caught.name, "IntentKeyError");
  assert.deepEqual(JSON.parse(JSON.stringify(caught)), {
    code: "field_unclassified", fields: ["a.x\\.y", "b"], message: caught.message,
  });
  assert.equal("field" in caught, false);
});
