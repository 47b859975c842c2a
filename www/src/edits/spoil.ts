// Breaks a payload in ways that are refused rather than repaired.

import { members } from "../editor/json-places";
import { replaced } from "./edit";

export type Spoiling = "unclassified" | "surrogate" | "nan";

/** The payload, broken. */
export function spoil(payload: string, how: Spoiling): string {
  const all = members(payload);
  if (how === "unclassified") return addMember(payload, `"colour": "red"`);
  if (how === "surrogate") {
    const text = all.find(({ value }) => value.kind === "String");
    if (text === undefined) return addMember(payload, `"colour": "\\ud83d"`);
    return replaced(payload, { from: text.value.to - 1, to: text.value.to }, `\\ud83d"`);
  }
  const number = all.find(({ value }) => value.kind === "Number") ?? all.find(({ name }) => name === "amount");
  return number === undefined ? addMember(payload, `"colour": NaN`) : replaced(payload, number.value, "NaN");
}

/** The payload with a member more, at its end. */
export function addMember(payload: string, member: string): string {
  const last = members(payload).at(-1);
  if (last === undefined) return `{ ${member} }`;
  const isOnLines = payload.slice(0, last.from).includes("\n");
  return replaced(payload, { from: last.to, to: last.to }, `,${isOnLines ? "\n  " : " "}${member}`);
}
