// The package's API. What a module does for it is in `module.js`, how objects are read in
// `plain.js` and `writer.js`. Types and documentation: `intentkey.d.ts`.

export { Deriver } from "./deriver.js";
export { IntentKeyError } from "./error.js";
export { imports, isStarted, start } from "./module.js";
export { Policy } from "./policy.js";
export { recordedKey } from "./recorded.js";
