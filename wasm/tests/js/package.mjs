// The built package, and what the tests share.

import { fileURLToPath, pathToFileURL } from "node:url";

/** The folder of the built package: `cargo pack` leaves it there. */
export const folder =
  process.env.INTENTKEY_NPM ?? fileURLToPath(new URL("../../../target/pack/npm", import.meta.url));
export const toolsFolder = fileURLToPath(new URL("../../pack", import.meta.url));
export const vectorsFolder = new URL("../../../tests/vectors/", import.meta.url);

export const { Deriver, init, IntentKeyError, Policy, recordedKey } = await import(
  pathToFileURL(`${folder}/node.js`)
);

export const EPOCH = 1_767_225_700;

export const secret = (first = 1) => Uint8Array.from({ length: 32 }, (_, index) => index + first);

/** A policy with a place of each kind. */
export const document = {
  name: "test",
  actions: ["pay"],
  bucket_seconds: 900,
  identity: {
    note: { rule: "text" },
    amount: { rule: "decimal", required: false },
    count: { rule: "integer", required: false },
    flag: { rule: "boolean", required: false },
    raw: { rule: "exact", required: false },
    "inner.name": { rule: "exact", required: false },
    "items[].sku": { rule: "exact", required: false },
    "to[]": { rule: "exact", required: false },
  },
  checked: { memo: { rule: "text", required: false } },
  ignored: { junk: "a test", "inner.junk": "a test", "items[].junk": "a test" },
};
// In an object literal it sets the prototype; as JSON it is a name.
export const policyText = JSON.stringify(document).replace(
  '"inner.name"',
  '"__proto__":{"rule":"exact","required":false},"inner.name"',
);

export const deriver = new Deriver(policyText, secret());

export const intent = (payload) => ({ tenant: "acme", action: "pay", intentEpoch: EPOCH, payload });

/** What a payload derives to: its key, or `code` or `code at field`. */
export const outcome = (payload, by = deriver) => attempt(() => by.derive(intent(payload)).key);

export function attempt(call) {
  try {
    return call();
  } catch (thrown) {
    if (!(thrown instanceof IntentKeyError)) throw thrown;
    const place = thrown.field ?? thrown.fields?.join(",");
    return place === undefined ? thrown.code : `${thrown.code} at ${place}`;
  }
}

/** The key of a payload that JSON can say, by way of JSON text. */
export const keyOfJson = (payload) => deriver.deriveJson({ ...intent(), payload: JSON.stringify(payload) }).key;
