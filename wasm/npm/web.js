// Browsers and all that have no way of their own.

import { imports, isStarted, start } from "./intentkey.js";
import { instantiate } from "./load.js";

export { Deriver, IntentKeyError, Policy, recordedKey } from "./intentkey.js";

let starting;

export function init(source) {
  if (isStarted()) return Promise.resolve();
  starting ??= begin(source);
  return starting;
}

async function begin(source) {
  try {
    start(await instantiate(source ?? fetchBeside(), imports));
  } finally {
    starting = undefined;
  }
}

/** The module beside this file; a bundler that knows this form brings it along. */
async function fetchBeside() {
  return fetch(new URL("./intentkey.wasm", import.meta.url));
}
