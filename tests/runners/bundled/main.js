// What a page does with the package: it derives one key, and one intent is refused.

import { Deriver, init, IntentKeyError } from "intentkey";

const policy = {
  name: "bundled",
  actions: ["order.place"],
  bucket_seconds: 900,
  key: { scope: "tenant" },
  identity: { order: { rule: "text" } },
};
// This user's own secret: a page gets no other.
const keyring = [{ id: "a", fromEpoch: 0, tenant: "ana", tenantSecret: new Uint8Array(32).fill(7) }];
const intent = (payload) => ({ tenant: "ana", action: "order.place", intentEpoch: 1_767_225_700, payload });

window.result = (async () => {
  await init();
  const deriver = new Deriver(policy, keyring);
  try {
    deriver.deriveKey(intent({ order: "A-1", colour: "red" }));
  } catch (error) {
    if (!(error instanceof IntentKeyError)) throw error;
    const { code, fields } = error;
    return { key: deriver.deriveKey(intent({ order: " a-1 " })).key, refused: { code, fields } };
  }
})();
