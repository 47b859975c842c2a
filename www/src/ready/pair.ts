import type { Producer } from "../engine/engine";

/** Two producers of one intent, for a ready policy. */
export interface Pair {
  readonly first: Producer;
  readonly second: Producer;
}
