// What must not compile: each line has a wrong name or a wrong type.

import { Deriver, IntentKeyError, Policy, recordedKey } from "intentkey";
import type { Code, PolicyDocument } from "intentkey";

declare const deriver: Deriver;
declare const document: PolicyDocument;
const secret = new Uint8Array(32);
const intent = { tenant: "acme", action: "pay", intentEpoch: 1, payload: {} };

// @ts-expect-error: intentEpoch
deriver.derive({ tenant: "acme", action: "pay", intent_epoch: 1, payload: {} });
// @ts-expect-error: no payload
deriver.derive({ tenant: "acme", action: "pay", intentEpoch: 1 });
// @ts-expect-error: an unknown member
deriver.derive({ ...intent, extra: 1, payload: {} } satisfies import("intentkey").Intent);
// @ts-expect-error: a number of seconds, no date
deriver.derive({ ...intent, intentEpoch: new Date() });
// @ts-expect-error: a payload is an object
deriver.derive({ ...intent, payload: "{}" });
// @ts-expect-error: JSON text
deriver.deriveJson({ ...intent, payload: {} });
// @ts-expect-error: secretId
deriver.derive(intent).secret_id;
// @ts-expect-error: no fingerprint
deriver.deriveKey(intent).fingerprint;
// @ts-expect-error: no fingerprint here either
deriver.deriveBatch([intent], { fingerprints: false }).map((one) => (one instanceof IntentKeyError ? "" : one.fingerprint));
// @ts-expect-error: may be refused
deriver.deriveBatch([intent])[0].key;
// @ts-expect-error: a Uint8Array
new Deriver(document, "secret");
// @ts-expect-error: fromEpoch
new Deriver(document, [{ id: "a", from_epoch: 0, secret }]);
// @ts-expect-error: a secret is a tenant's or not
new Deriver(document, [{ id: "a", fromEpoch: 0, tenant: "acme", secret }]);
// @ts-expect-error: the option's name
new Deriver(document, secret, { insecure: true });
// @ts-expect-error: bucket_seconds
new Policy({ ...document, bucketSeconds: 900 } satisfies PolicyDocument);
// @ts-expect-error: a rule that there is not
new Policy({ ...document, identity: { a: { rule: "string" } } });
// @ts-expect-error: a parameter of another rule
new Policy({ ...document, identity: { a: { rule: "text", scale: 2 } } });
// @ts-expect-error: no such code
"field_mising" satisfies Code;
// @ts-expect-error: bytes
recordedKey("d4d4");
// @ts-expect-error: an error is made by what refuses
new IntentKeyError({ code: "field_missing", message: "" });
