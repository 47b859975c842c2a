// What compiles: every form that the documentation shows.

import { Deriver, init, IntentKeyError, Policy, recordedKey } from "intentkey";
import type { Code, Derived, DerivedKey, Intent, Keyring, Material, PolicyDocument } from "intentkey";

await init();
await init(new URL("https://example.com/intentkey.wasm"));

const document: PolicyDocument = {
  name: "pix-payment",
  actions: ["pix.transfer"],
  bucket_seconds: 900,
  edge_seconds: 20,
  key: { format: "hex", length: 40, scope: "tenant" },
  identity: {
    creditor_key: { rule: "pix_key", kinds: ["cpf", "email"] },
    amount: { rule: "decimal", scale: "currency", rounding: "half_up" },
    currency: { rule: "currency" },
    remittance: { rule: "text", required: false, empty: "absent" },
    kind: { rule: "enum", values: ["a", "b"], case: "fold" },
  },
  checked: { note: { rule: "text" } },
  ignored: { request_id: "new on every attempt" },
  lists: { items: { order: "any" } },
  retention: { ttl_seconds: 604800, callers: { queue: 86400, stripe: "unmeasured" } },
};
const secret = new Uint8Array(32);
const keyrings: Keyring[] = [
  secret,
  [{ id: "2026", fromEpoch: 0, secret }],
  [{ id: "2026", fromEpoch: 0, tenant: "acme", tenantSecret: secret }],
];

interface Payment {
  amount: number | bigint;
  currency: string;
  items?: { sku: string }[];
}
const payment: Payment = { amount: 10n, currency: "BRL" };

using deriver = new Deriver(document, secret);
new Deriver(JSON.stringify(document), keyrings[0], { insecureMasterSecretInPage: true });
new Deriver([{ fromEpoch: 0, policy: new Policy(document) }], keyrings[1]);

const intent: Intent = { tenant: "acme", action: "pix.transfer", intentEpoch: 1, payload: payment };
deriver.derive({ ...intent, payload: new Map([["amount", 10]]) });
const derived: Derived = deriver.derive(intent);
const key: string = derived.edge?.key ?? derived.key;
const keyAlone: DerivedKey = deriver.deriveKey(intent);
deriver.deriveJson({ ...intent, payload: "{}" });
deriver.deriveJson("{}");
for (const outcome of deriver.deriveBatch([intent])) {
  if (outcome instanceof IntentKeyError) {
    const code: Code = outcome.code;
    console.log(code, outcome.field, outcome.fields?.length, outcome.toJSON().message);
  } else console.log(outcome.fingerprint);
}
for (const outcome of deriver.deriveBatch([intent], { fingerprints: false })) {
  if (!(outcome instanceof IntentKeyError)) console.log(outcome.secretId);
}
const fingerprint: string = deriver.fingerprint(intent);
const canonical: string | undefined = deriver.explain(intent).fields[0]?.canonical;
const byId: string = deriver.keyFromId({ tenant: "acme", id: "1", intentEpoch: 1 });
const check: string | undefined = deriver.handshake().secrets[0]?.check;

const policy = new Policy(document);
const material: Material = policy.material(intent);
const signed = await crypto.subtle.sign("HMAC", {} as CryptoKey, material.bytes);
const fromMac: string = policy.keyFromMac(signed);
const recorded: string = recordedKey(crypto.getRandomValues(new Uint8Array(16)));
console.log(key, keyAlone, fingerprint, canonical, byId, check, fromMac, recorded, policy.digest);
