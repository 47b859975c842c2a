// Cloudflare workers: the module comes compiled.

import module from "./intentkey.wasm";
import { imports, start } from "./intentkey.js";

export { Deriver, IntentKeyError, Policy, recordedKey } from "./intentkey.js";

start(new WebAssembly.Instance(module, imports));

export async function init() {}
