// The cases in a page in Chromium: `node chromium.mjs CASES`.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { inChromium } from "./browser.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const { version, result } = await inChromium(here, "/chromium.html", {
  "/cases.jsonl": () => readFile(process.argv[2]),
});
console.log(JSON.stringify({ runtime: "Chromium", version, ...result }));
