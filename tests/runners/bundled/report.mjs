// Opens a bundled page in Chromium and compares what it derives with what Node does.

import { createRequire } from "node:module";
import { Deriver } from "intentkey";
import { inChromium } from "../browser.mjs";

/** What Node makes of `main.js`'s intent, in another spelling. */
function expected() {
  const policy = {
    name: "bundled", actions: ["order.place"], bucket_seconds: 900, key: { scope: "tenant" },
    identity: { order: { rule: "text" } },
  };
  const keyring = [{ id: "a", fromEpoch: 0, tenant: "ana", tenantSecret: new Uint8Array(32).fill(7) }];
  const intent = { tenant: "ana", action: "order.place", intentEpoch: 1_767_225_700, payload: { order: "A-1" } };
  return {
    key: new Deriver(policy, keyring).deriveKey(intent).key,
    refused: { code: "field_unclassified", fields: ["colour"] },
  };
}

/** Prints the report of a bundler: two cases, the key and the refusal. */
export async function report(name, bundler, folder) {
  const { result } = await inChromium(folder, "/index.html");
  const wanted = expected();
  const disagreements = [];
  for (const id of ["key", "refused"]) {
    const [given, asExpected] = [result?.[id], wanted[id]].map((value) => JSON.stringify(value));
    if (given !== asExpected) disagreements.push({ id, route: "deriveKey", expected: asExpected, given: given ?? "nothing" });
  }
  const { version } = createRequire(import.meta.url)(`${bundler}/package.json`);
  const agreed = 2 - disagreements.length;
  console.log(JSON.stringify({ runtime: `${name}, in Chromium`, version, cases: 2, agreed, disagreements }));
}
