// The message that is being written: see `wire.rs`.
//
// It is written at `at` and on. A call that a proxy makes while its object is being read writes
// behind that object's message, and then gives the place back.

import { answered, bytes, grow, look, size, unwound, view } from "./module.js";

// The tags of values.
const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const STRING = 4;
const BIG_INTEGER = 5;
const NO_KIND = 6;
export const LIST = 7;
export const OBJECT = 8;

/** The most bytes of one text: as many as JSON text may have. */
const MOST_TEXT = 4 << 20;
/** Texts up to here are looked through for other than ASCII one character at a time. */
const SHORT = 96;
/** BigInts beyond this are out of every rule's range, and their digits take long to write. */
const VAST = 10n ** 100n;

/** Thrown where a limit is passed, and known by its identity. */
export const TOO_LARGE = { code: "payload_too_large" };

const encoder = new TextEncoder();
const isUnicode = String.prototype.isWellFormed
  ? (string) => string.isWellFormed()
  : (string) => !/\p{Surrogate}/u.test(string);

/** Where the next byte goes. */
export let at = 0;
/** Where the message begins. */
export let origin = 0;

/** Begins a message; gives what `end` takes. */
export function begin() {
  look();
  const outer = origin;
  origin = at;
  return outer;
}

/** Ends a message, sent or not. */
export function end(outer) {
  at = origin;
  origin = outer;
}

/** Begins the next of several messages that are sent together. */
export function next() {
  origin = at;
}

/** Goes back to the first of several messages. */
export function back(place) {
  origin = place;
}

/** Sends the message by a call of `engine`'s; see `answered`. */
export function send(call, engine) {
  let length;
  try {
    length = call(engine, origin, at);
  } catch (thrown) {
    unwound();
    throw thrown;
  }
  return answered(length);
}

/** Takes back what was written from a place on. */
export function takeBack(place) {
  at = place;
}

/** Sees to it that so many bytes more can be written. */
export function room(more) {
  if (at + more > size) grow(at + more);
}

export function byte(value) {
  room(1);
  bytes[at++] = value;
}

export function u16(value) {
  room(2);
  bytes[at++] = value;
  bytes[at++] = value >> 8;
}

export function u32(value) {
  room(4);
  setU32(at, value);
  at += 4;
}

export function setU32(place, value) {
  view.setUint32(place, value, true);
}

/** Writes what is null to the module. */
export const nothing = () => byte(NULL);

/** Writes what JSON has no kind for. */
export const foreign = () => byte(NO_KIND);

/** Writes the bytes of a Uint8Array, of which there are `length`. */
export function copy(array, length) {
  room(4 + length);
  setU32(at, length);
  bytes.set(array, at + 4);
  at += 4 + length;
}

/** Writes what a message had before. */
export function again(array) {
  room(array.length);
  bytes.set(array, at);
  at += array.length;
}

/** Writes what is no object; an object is written as what JSON has no kind for. Gives the length
 * of a text in UTF-8, -1 for one with a lone surrogate, 0 for anything else. */
export function scalar(value) {
  switch (typeof value) {
    case "string":
      byte(STRING);
      return text(value);
    case "number":
      room(9);
      bytes[at] = NUMBER;
      view.setFloat64(at + 1, value, true);
      at += 9;
      return 0;
    case "boolean":
      byte(value ? TRUE : FALSE);
      return 0;
    case "bigint":
      byte(BIG_INTEGER);
      return text(`${value > VAST || value < -VAST ? VAST : value}`);
    default:
      byte(value === null ? NULL : NO_KIND);
      return 0;
  }
}

/** Writes a text with its length before it, and gives that length; -1 for one with a lone
 * surrogate, which is written as a byte that no UTF-8 has. */
export function text(string) {
  const { length } = string;
  if (length > MOST_TEXT) throw TOO_LARGE;
  room(4 + 3 * length);
  const from = at + 4;
  let written = 0;
  if (length <= SHORT) {
    const target = bytes;
    for (; written < length; written++) {
      const unit = string.charCodeAt(written);
      if (unit > 0x7f) break;
      target[from + written] = unit;
    }
  }
  if (written < length) written = encode(string, from);
  setU32(at, Math.abs(written));
  at = from + Math.abs(written);
  return written;
}

function encode(string, from) {
  if (isUnicode(string)) return encoder.encodeInto(string, bytes.subarray(from)).written;
  bytes[from] = 0xff;
  return -1;
}
