// The module: its instance, its memory, and the calls into it.

import * as bindings from "./bindings_bg.js";
import { IntentKeyError } from "./error.js";

/** What the module imports. */
export const imports = { "./bindings_bg.js": bindings };

/** How many bytes a slot of the fixed area has, and how many slots there are: see `results.rs`. */
export const SLOT = 288;
export const SLOTS = 32;
/** The first room for messages; a usual one has some hundred bytes. */
const USUAL_ROOM = 1 << 12;

/** Thrown where memory is at its end; known by its identity, which nothing that is read has. */
export const OUT_OF_MEMORY = new RangeError("intentkey: out of memory");

const decoder = new TextDecoder();
let wasm;
let restingStack;

/** The module's `Exchange`. */
export let exchange;
/** The room for messages, and what else lies behind it. */
export let bytes;
export let view;
/** How much of it is room for messages. */
export let size = 0;
/** The fixed area, with the usual results. */
export let fixed;

export const isStarted = () => wasm !== undefined;

/** Takes an instance of the module into use. */
export function start(instance) {
  if (isStarted()) return;
  wasm = instance.exports;
  bindings.__wbg_set_wasm(wasm);
  wasm.__wbindgen_start();
  restingStack = wasm.__stack_pointer.value;
  exchange = new bindings.Exchange();
  grow(USUAL_ROOM);
}

/** Makes sure that the memory is seen as it is: where it has grown, what was seen is detached. */
export function look() {
  if (bytes === undefined) throw new Error("intentkey is not initialized: await init() first");
  if (bytes.length === 0) see(exchange.reserve(0));
}

/** Makes the room for messages larger. */
export function grow(least) {
  size = Math.max(least, size * 2);
  const base = exchange.reserve(size);
  if (base === 0) {
    size = 0;
    throw OUT_OF_MEMORY;
  }
  see(base);
}

function see(base) {
  const { buffer } = wasm.memory;
  bytes = new Uint8Array(buffer, base);
  view = new DataView(buffer, base);
  fixed = new Uint8Array(buffer, exchange.fixed, SLOT * SLOTS);
}

/** What became of a call: how long the JSON text of the result is, or 0 where it lies in the
 * fixed area. A refusal is thrown. */
export function answered(length) {
  if (bytes.length === 0) see(exchange.reserve(0));
  if (length < 0) throw new IntentKeyError(json(-length));
  return length;
}

/** After a call that the host unwound, its stack being at its end: the module's own stack goes
 * back to where it is between calls. */
export function unwound() {
  wasm.__stack_pointer.value = restingStack;
}

/** The JSON text that the module has left. */
export function json(length) {
  return JSON.parse(decoder.decode(new Uint8Array(wasm.memory.buffer, exchange.text, length)));
}
