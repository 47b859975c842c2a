// The README's page in Chromium: prints the key that it comes to.
//
// What the README takes as given, the payload and the user's own secret, stands before it.

import { readFile } from "node:fs/promises";
import { createHmac } from "node:crypto";
import { fileURLToPath } from "node:url";
import { inChromium } from "../browser.mjs";

const BEFORE = `
  const payload = { creditor_key: "529.982.247-25", amount: "10.50", currency: "BRL" };
  const secret = await (await fetch("/my-secret")).arrayBuffer();
  const mine = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
`;
const page = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "intentkey": "/node_modules/intentkey/web.js" } }</script>
<script type="module">
  ${BEFORE}
  ${await readFile(new URL("./page.js", import.meta.url), "utf8")}
  window.result = Promise.resolve({ key, stored: localStorage.getItem("order-17") });
</script>`;
const master = Buffer.from(process.env.INTENTKEY_SECRET, "hex");
const { result } = await inChromium(fileURLToPath(new URL("..", import.meta.url)), "/readme/page.html", {
  "/readme/page.html": () => page,
  "/my-secret": () => createHmac("sha256", master).update("intentkey tenant v1\0ana").digest(),
});
if (result.stored !== null && result.stored !== result.key) throw new Error("the recorded key is another");
console.log(result.key);
