// The page in Chromium, before a server that holds the master secret.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { inChromium } from "../browser.mjs";
import { attempts, keyOf, tenantSecret } from "./payment.mjs";

const { result } = await inChromium(fileURLToPath(new URL("..", import.meta.url)), "/examples/page-webcrypto/index.html", {
  "/my-secret": () => tenantSecret("ana"),
});
assert.equal(result.key, keyOf(attempts[0]), "the page's key is the server's");
assert.equal(result.secret, "InvalidAccessError", "no script takes the secret out");
console.log(result.key);
