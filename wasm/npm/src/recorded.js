import { begin, copy, end, send } from "./message.js";
import { exchange } from "./module.js";
import { countOf, isBytes } from "./plain.js";
import { key } from "./results.js";

/** How many random bytes a UUID takes. */
const RANDOM = 16;

/** The UUID (version 4) of 16 random bytes. */
export function recordedKey(random) {
  if (!isBytes(random) || countOf(random) !== RANDOM) throw new TypeError("a recorded key takes 16 random bytes");
  const outer = begin();
  try {
    copy(random, RANDOM);
    send((_engine, from, to) => exchange.recorded(from, to));
    return key();
  } finally {
    end(outer);
  }
}
