// Changes to a payload's text that a button makes. Each leaves the rest of the text as it is.

import type { Deriver } from "intentkey";
import type { Range } from "../editor/json-places";
import { judge, type Producer } from "../engine/engine";

/** A text with one stretch replaced. */
export function replaced(text: string, { from, to }: Range, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** Whether a payload's text is the same intent to the package: same key, same fingerprint. */
export function isSameIntent(deriver: Deriver, producer: Producer, payload: string): boolean {
  const [was, is] = [judge(deriver, producer).explanation, judge(deriver, { ...producer, payload }).explanation];
  return was !== undefined && was.key === is?.key && was.fingerprint === is.fingerprint;
}

/** One of several, by chance. */
export function oneOf<T>(choices: readonly T[]): T | undefined {
  return choices[Math.floor(Math.random() * choices.length)];
}
