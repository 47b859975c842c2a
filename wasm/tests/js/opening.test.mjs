// Making derivers and policies: what is taken, what is refused, and what is left of a secret.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { attempt, Deriver, deriver, document, EPOCH, intent, Policy, policyText, recordedKey, secret } from "./package.mjs";

const whole = intent({ note: "a" });
const made = (...values) => attempt(() => typeof new Deriver(...values));
const refused = (expected, ...values) => assert.equal(made(...values), expected);

test("policies are objects, JSON text or Policy", () => {
  const key = deriver.derive(whole).key;
  for (const policy of [document, policyText, new Policy(document), new Policy(new Policy(policyText)), new Map(Object.entries(document))]) {
    assert.equal(new Deriver(policy, secret()).derive(whole).key, key);
    assert.equal(new Deriver([{ fromEpoch: 0, policy }], secret()).derive(whole).key, key);
  }
});

test("policies of another kind are refused", () => {
  for (const policy of [undefined, null, 5, "", "{", "5", {}, new Date(), () => {}, { ...document, bucket_seconds: 900n }, { ...document, name: "\ud800" }, { get name() { assert.fail("must not run"); } }, [], [document], [{ fromEpoch: 0 }], [{ fromEpoch: 0, policy: document, extra: 1 }], [{ fromEpoch: 0.5, policy: document }], [{ fromEpoch: "0", policy: document }], [{ fromEpoch: 1, policy: document }], [, ]]) {
    assert.match(made(policy, secret()), /^policy_invalid/);
    assert.match(attempt(() => new Policy(policy)), /^policy_invalid/);
  }
  refused("policy_invalid at bucket_seconds", { ...document, bucket_seconds: -1 }, secret());
  refused("policy_invalid at [1].policy.extra", [{ fromEpoch: 0, policy: document }, { fromEpoch: 900, policy: { ...document, extra: 1 } }], secret());
  const cycle = { ...document };
  cycle.key = cycle;
  refused("policy_invalid", cycle, secret());
});

test("keyrings of another kind are refused", () => {
  const entry = { id: "a", fromEpoch: 0, secret: secret() };
  for (const keyring of [undefined, null, "secret", 5, {}, [], [entry, 5], [{ ...entry, extra: 1 }], [{ ...entry, secret: "text" }], [{ ...entry, id: 5 }], [{ ...entry, id: "" }], [{ ...entry, id: "\ud800" }], [{ ...entry, fromEpoch: -1 }], [{ ...entry, fromEpoch: undefined }], [{ ...entry, fromEpoch: "0" }], [entry, entry], [{ ...entry, tenant: "acme" }], [{ ...entry, tenantSecret: secret() }], [{ id: "a", fromEpoch: 0, tenant: "acme", tenantSecret: secret() }], new ArrayBuffer(32), new Uint16Array(32), new DataView(new ArrayBuffer(32)), Array.from(secret()), new Uint8Array(1 << 20), [{ get id() { assert.fail("must not run"); }, fromEpoch: 0, secret: secret() }]]) {
    refused("keyring_invalid", document, keyring);
  }
  refused("secret_weak", document, new Uint8Array(32));
  refused("secret_weak", document, secret().subarray(0, 15));
  for (const options of [null, 5, { extra: 1 }, { insecureMasterSecretInPage: 1 }]) refused("keyring_invalid", document, secret(), options);
});

test("a Uint8Array is one in every realm, whatever it says of itself", () => {
  const expected = deriver.derive(whole).key;
  const held = [Buffer.from(secret()), runInNewContext("Uint8Array.from({ length: 32 }, (_, index) => index + 1)"), new Uint8Array(Uint8Array.of(9, ...secret(), 9).buffer, 1, 32)];
  held.push(Object.defineProperty(secret(), "length", { value: 5 }));
  for (const keyring of held) {
    assert.equal(new Deriver(document, keyring).derive(whole).key, expected);
    assert.equal(new Deriver(document, [{ id: "a", fromEpoch: 0, secret: keyring }]).derive(whole).key, expected);
  }
});

test("a tenant's secret serves that tenant", () => {
  const policy = { ...document, key: { scope: "tenant" } };
  const tenantSecret = Uint8Array.from(createHmac("sha256", secret()).update("intentkey tenant v1\0acme").digest());
  const held = new Deriver(policy, [{ id: "default", fromEpoch: 0, tenant: "acme", tenantSecret }]);
  assert.deepEqual(held.derive(whole), new Deriver(policy, secret()).derive(whole));
  assert.equal(attempt(() => held.derive({ ...whole, tenant: "other" })), "tenant_not_held");
  assert.deepEqual(held.handshake().secrets.map(({ tenant }) => tenant), ["acme"]);
});

test("a page gets no master secret", () => {
  const policy = { ...document, key: { scope: "tenant" } };
  const master = [{ id: "a", fromEpoch: 0, secret: secret() }];
  const tenants = [{ id: "a", fromEpoch: 0, tenant: "acme", tenantSecret: secret() }];
  for (const page of [{ document: {} }, { WorkerLocation: class {} }]) {
    Object.assign(globalThis, page);
    try {
      refused("keyring_invalid", policy, secret());
      refused("keyring_invalid", policy, master);
      refused("keyring_invalid", policy, secret(), { insecureMasterSecretInPage: false });
      refused("object", policy, secret(), { insecureMasterSecretInPage: true });
      refused("object", policy, tenants);
      assert.equal(typeof new Policy(policy).material(whole).bucketStart, "number");
    } finally {
      for (const name of Object.keys(page)) delete globalThis[name];
    }
  }
  refused("object", policy, secret());
});

test("bring your own MAC", async () => {
  const policy = new Policy({ ...document, edge_seconds: 20 });
  const near = { ...whole, intentEpoch: EPOCH - (EPOCH % 900) };
  const { bytes, bucketStart, edge } = policy.material(near);
  assert.equal(bucketStart, near.intentEpoch);
  assert.equal(edge.bucketStart, near.intentEpoch);
  const expected = new Deriver({ ...document, edge_seconds: 20 }, secret()).derive(near);
  const key = await crypto.subtle.importKey("raw", secret(), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  assert.equal(policy.keyFromMac(await crypto.subtle.sign("HMAC", key, bytes)), expected.key);
  assert.equal(policy.keyFromMac(createHmac("sha256", secret()).update(edge.bytes).digest()), expected.edge.key);
  for (const mac of [undefined, null, 5, "text", new Uint8Array(31), new ArrayBuffer(33), {}, []]) {
    assert.throws(() => policy.keyFromMac(mac), TypeError);
  }
  assert.equal(policy.name, "test");
  assert.equal(policy.digest, new Deriver(policy, secret()).handshake().policies[0].digest);
  assert.equal(attempt(() => policy.material(intent({}))), "field_missing at note");
});

test("a recorded key is a UUID of the bytes given", () => {
  assert.equal(recordedKey(new Uint8Array(16).fill(0xd4)), "d4d4d4d4-d4d4-44d4-94d4-d4d4d4d4d4d4");
  for (const random of [undefined, null, "text", new Uint8Array(15), new ArrayBuffer(16), Array(16).fill(1)]) {
    assert.throws(() => recordedKey(random), TypeError);
  }
});

test("a handshake says what is derived with", () => {
  const { policies, secrets, unicode, currencies } = new Deriver([{ fromEpoch: 0, policy: policyText }], [{ id: "2026", fromEpoch: 0, secret: secret() }]).handshake();
  assert.equal(policies[0].fromEpoch, 0);
  assert.match(policies[0].digest, /^[0-9a-f]{64}$/);
  const check = createHmac("sha256", secret()).update("intentkey check v1").digest("hex").slice(0, 8);
  assert.deepEqual(secrets, [{ id: "2026", check }]);
  assert.match(unicode, /^\d+\.\d+$/);
  assert.match(currencies, /^\d{4}-\d\d-\d\d$/);
  assert.equal("fromEpoch" in deriver.handshake().policies[0], false);
});
