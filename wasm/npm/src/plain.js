// What counts as plain: objects whose prototype is some realm's Object.prototype or null, dense
// arrays, Maps. Nothing is read from a prototype and no getter ever runs. The traps of proxies do
// run; what they throw is caught by whoever reads.

export const {
  getOwnPropertyDescriptor: describe,
  getOwnPropertyNames: namesOf,
  getOwnPropertySymbols: symbolsOf,
  getPrototypeOf: prototypeOf,
  hasOwn,
} = Object;

export const { isArray } = Array;

/** Stands for a value that is not read, and is written as what JSON has no kind for. */
export const FOREIGN = Symbol("foreign");

const objectPrototype = Object.prototype;
const arrayPrototype = Array.prototype;
const { toString } = objectPrototype;
const sourceOf = Function.prototype.toString;
const objectSource = sourceOf.call(Object);
const mapSize = describe(Map.prototype, "size").get;
const mapEntries = Map.prototype.entries;
const mapNext = prototypeOf(new Map().entries()).next;
const typedArray = prototypeOf(Uint8Array.prototype);
const typedTag = describe(typedArray, Symbol.toStringTag).get;
const typedLength = describe(typedArray, "length").get;

/** Whether this is the Object.prototype of some realm. */
function isObjectPrototype(value) {
  if (value === objectPrototype) return true;
  if (value === null || prototypeOf(value) !== null) return false;
  const maker = describe(value, "constructor")?.value;
  return (
    typeof maker === "function" &&
    sourceOf.call(maker) === objectSource &&
    describe(maker, "prototype")?.value === value
  );
}

/** Whether an object, no array, is plain. */
export function isPlain(object) {
  const prototype = prototypeOf(object);
  return prototype === objectPrototype || prototype === null || isObjectPrototype(prototype);
}

/** Whether an object without properties is what it looks like: a date with a plain object's
 * prototype is not. */
export const isTrulyEmpty = (object) => toString.call(object) === "[object Object]";

/** What an own property holds: `undefined` where there is none, FOREIGN where it is hidden or
 * has accessors. */
export function own(object, name) {
  const property = describe(object, name);
  if (property === undefined) return undefined;
  return property.enumerable && hasOwn(property, "value") ? property.value : FOREIGN;
}

/** The length of an array, or -1 where it is an instance of a class, or has holes or properties
 * beside its elements. One with more than `most` elements is not looked through. */
export function lengthOf(array, most) {
  const prototype = prototypeOf(array);
  const isPlainArray =
    prototype === arrayPrototype ||
    (isArray(prototype) && isObjectPrototype(prototypeOf(prototype)));
  if (!isPlainArray || symbolsOf(array).length !== 0) return -1;
  const length = describe(array, "length").value;
  return length > most || namesOf(array).length === length + 1 ? length : -1;
}

/** Calls `take` with each name and value of a Map; false where this is no plain Map. */
export function eachEntry(map, take) {
  if (!isObjectPrototype(prototypeOf(prototypeOf(map)))) return false;
  // Throws for what is no Map.
  mapSize.call(map);
  if (namesOf(map).length !== 0 || symbolsOf(map).length !== 0) return false;
  const entries = mapEntries.call(map);
  for (;;) {
    const { done, value } = mapNext.call(entries);
    if (done) return true;
    if (!take(value[0], value[1])) return false;
  }
}

/** The elements of a dense array of ours, or undefined for anything else. */
export function elementsOf(value) {
  try {
    if (!isArray(value) || lengthOf(value, Infinity) < 0) return undefined;
    return Array.from({ length: value.length }, (_, index) => own(value, index));
  } catch {
    return undefined;
  }
}

/** The properties of a plain object in the order of `names`, and after them the first name that
 * is not among these (null for one that is no string). undefined for anything else. */
export function record(value, names) {
  try {
    if (typeof value !== "object" || value === null || isArray(value) || !isPlain(value)) return undefined;
    const values = [undefined, undefined, undefined, undefined, undefined, undefined];
    const held = namesOf(value);
    for (let index = 0; index < held.length; index++) {
      const name = held[index];
      const property = own(value, name);
      if (property === undefined) continue;
      const place = names.indexOf(name);
      if (place >= 0) values[place] = property;
      else values[names.length] ??= name;
    }
    if (values[names.length] === undefined && symbolsOf(value).length !== 0) values[names.length] = null;
    return values;
  } catch {
    return undefined;
  }
}

/** Whether this is a Uint8Array, of any realm. */
export const isBytes = (value) => typedTag.call(value) === "Uint8Array";

/** How many bytes a Uint8Array has, whatever it says itself. */
export const countOf = (value) => typedLength.call(value);
