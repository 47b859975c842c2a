// Reads objects and writes them as a message.

import { at, byte, foreign, LIST, nothing, OBJECT, origin, scalar, setU32, takeBack, text, TOO_LARGE, u16, u32 } from "./message.js";
import { bytes, OUT_OF_MEMORY } from "./module.js";
import { eachEntry, FOREIGN, isArray, isPlain, isTrulyEmpty, lengthOf, namesOf, own, symbolsOf } from "./plain.js";

/** The place that stands for a name written out. */
const WRITTEN_OUT = 0xffff;
/** The form of an intent whose payload has a property that no path can name. */
const NAMELESS = 3;

// The limits of a payload: see `limits.rs` in core.
const MOST_LEVELS = 64;
const MOST_VALUES = 65536;
const MOST_TEXT = 1 << 20;

/** Thrown where a limit is passed, and known by its identity. */
export const TOO_DEEP = { code: "payload_too_deep" };

/** The guide's node for a place that no policy declares. */
export const UNDECLARED = { members: new Map(), element: undefined };

/** What a payload has had so far; a call that a proxy makes meanwhile counts its own. */
let values = 0;
let used = 0;

/** Writes a payload at its place in the guide. */
export function payload(value, node) {
  counted(value, node, 1);
}

/** Writes a value of ours: a policy. */
export function document(value) {
  // Level 2: what has no name makes it no object, rather than an intent without a name for it.
  counted(value, UNDECLARED, 2);
}

function counted(value, node, level) {
  const valuesOutside = values;
  const usedOutside = used;
  values = used = 0;
  try {
    anything(value, node, level);
  } finally {
    values = valuesOutside;
    used = usedOutside;
  }
}

function anything(value, node, level) {
  if (++values > MOST_VALUES) throw TOO_LARGE;
  if (typeof value === "object" && value !== null) compound(value, node, level);
  else count(scalar(value));
}

/** Counts the bytes of a text; one that is not Unicode has none. */
function count(written) {
  if (written > 0 && (used += written) > MOST_TEXT) throw TOO_LARGE;
}

/** Writes an object, a list or a Map; anything else, and a proxy that throws, is written as what
 * JSON has no kind for, and leaves nothing behind. */
function compound(value, node, level) {
  const from = at;
  const valuesBefore = values;
  const usedBefore = used;
  try {
    if (isArray(value) ? list(value, node, level) : isPlain(value) ? object(value, node, level) : map(value, node, level)) {
      return;
    }
  } catch (thrown) {
    if (thrown === TOO_LARGE || thrown === TOO_DEEP || thrown === OUT_OF_MEMORY) throw thrown;
  }
  takeBack(from);
  values = valuesBefore;
  used = usedBefore;
  foreign();
}

/** Begins an object or a list; gives where its count goes. */
function open(tag, level) {
  if (level > MOST_LEVELS) throw TOO_DEEP;
  byte(tag);
  u32(0);
  return at - 4;
}

function object(value, node, level) {
  const names = namesOf(value);
  if (symbolsOf(value).length !== 0 && !isNameless(level)) return false;
  if (names.length === 0 && !isTrulyEmpty(value)) return false;
  const countAt = open(OBJECT, level);
  let written = 0;
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    const place = node.members.get(name);
    if (place !== undefined && place.isIgnored) ignored(place);
    else {
      const inner = own(value, name);
      if (inner === undefined) continue;
      member(name, place, inner, level);
    }
    written++;
  }
  setU32(countAt, written);
  return true;
}

function map(value, node, level) {
  let countAt = -1;
  let written = 0;
  const isMap = eachEntry(value, (name, inner) => {
    if (typeof name !== "string") return isNameless(level);
    if (countAt < 0) countAt = open(OBJECT, level);
    const place = node.members.get(name);
    if (place !== undefined && place.isIgnored) ignored(place);
    else {
      if (inner === undefined) return true;
      member(name, place, inner, level);
    }
    written++;
    return true;
  });
  if (!isMap) return false;
  if (countAt < 0) countAt = open(OBJECT, level);
  setU32(countAt, written);
  return true;
}

/** Takes down that the payload itself has a property that no path can name; an object below it
 * is then none that is read. */
function isNameless(level) {
  if (level !== 1) return false;
  bytes[origin] = NAMELESS;
  return true;
}

function ignored(place) {
  count(place.size);
  u16(place.id ?? 0);
  nothing();
}

function member(name, place, value, level) {
  // Of very many names not all have a place.
  if (place === undefined || place.id === undefined) {
    u16(WRITTEN_OUT);
    count(text(name));
    anything(value, place === undefined ? UNDECLARED : place.node, level + 1);
  } else {
    count(place.size);
    u16(place.id);
    anything(value, place.node, level + 1);
  }
}

function list(value, node, level) {
  const length = lengthOf(value, MOST_VALUES);
  if (length < 0) return false;
  const countAt = open(LIST, level);
  const { element } = node;
  let written = 0;
  for (; written < length; written++) {
    if (element !== undefined && element.isIgnored) {
      // So many that there is no telling them from more.
      if (written === MOST_VALUES) break;
      nothing();
      continue;
    }
    const inner = own(value, written);
    // An array that was not looked through may have a hole.
    if (inner === undefined && length > MOST_VALUES && !(written in value)) return false;
    anything(inner === undefined ? FOREIGN : inner, element === undefined ? UNDECLARED : element.node, level + 1);
  }
  setU32(countAt, written);
  return true;
}
