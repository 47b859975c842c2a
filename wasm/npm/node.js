// Node, Deno and Bun: the module is read beside this file, at once.

import { readFileSync } from "node:fs";
import { imports, isStarted, start } from "./intentkey.js";

export { Deriver, IntentKeyError, Policy, recordedKey } from "./intentkey.js";

try {
  const module = new WebAssembly.Module(readFileSync(new URL("./intentkey.wasm", import.meta.url)));
  start(new WebAssembly.Instance(module, imports));
} catch {
  // A bundler has left the file behind: init() uses the copy in the bundle.
}

export async function init(source) {
  if (isStarted()) return;
  const { instantiate } = await import("./load.js");
  start(await instantiate(source, imports));
}
