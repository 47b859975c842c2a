// The usual results, in the fixed area: see `results.rs`.

import { fixed, SLOT } from "./module.js";

const KEY_LENGTH = 4;
const HAS_EDGE = 5;
const BUCKET = 8;
const KEY = 16;
const FINGERPRINT = 80;
const EDGE = 144;

/** Where the slot that is read begins. */
let slot = 0;

/** Turns to a slot; false where nothing is in it. */
export function turnTo(index) {
  slot = index * SLOT;
  return fixed[slot + KEY_LENGTH] !== 0;
}

/** The key. */
export const key = () => ascii(KEY, fixed[slot + KEY_LENGTH]);

/** The fingerprint. */
export const fingerprint = () => ascii(FINGERPRINT, 64);

/** The derivation without its fingerprints. */
export function derivedKey({ ids }) {
  const derived = { key: key(), bucket: bucket(), secretId: ids[u32(0)] };
  if (fixed[slot + HAS_EDGE] !== 0) derived.edge = { key: edgeKey(), secretId: ids[u32(EDGE)] };
  return derived;
}

/** The derivation. */
export function derived({ ids }) {
  const derived = { key: key(), fingerprint: fingerprint(), bucket: bucket(), secretId: ids[u32(0)] };
  if (fixed[slot + HAS_EDGE] !== 0) {
    derived.edge = { key: edgeKey(), fingerprint: ascii(EDGE + FINGERPRINT, 64), secretId: ids[u32(EDGE)] };
  }
  return derived;
}

const edgeKey = () => ascii(EDGE + KEY, fixed[slot + EDGE + KEY_LENGTH]);

/** Epochs are below 10^11, and so are buckets. */
const bucket = () => u32(BUCKET) + u32(BUCKET + 4) * 2 ** 32;

function u32(place) {
  const from = slot + place;
  return fixed[from] + fixed[from + 1] * 2 ** 8 + fixed[from + 2] * 2 ** 16 + fixed[from + 3] * 2 ** 24;
}

/** ASCII text: faster for so few characters than a TextDecoder. */
function ascii(place, length) {
  const area = fixed;
  let from = slot + place;
  const end = from + length;
  let text = "";
  for (; from + 8 <= end; from += 8) {
    text += String.fromCharCode(
      area[from], area[from + 1], area[from + 2], area[from + 3],
      area[from + 4], area[from + 5], area[from + 6], area[from + 7],
    );
  }
  for (; from < end; from++) text += String.fromCharCode(area[from]);
  return text;
}
