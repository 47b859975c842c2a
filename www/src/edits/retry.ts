// The next attempt: what changes by the attempt changes, and what was decided does not.

import type { Deriver, PolicyDocument } from "intentkey";
import { members } from "../editor/json-places";
import { escaped } from "../editor/path";
import { judge, type Producer } from "../engine/engine";
import { isSameIntent, replaced } from "./edit";
import { addMember } from "./spoil";

/** The payload of the next attempt: its ignored fields anew. */
export function retry(deriver: Deriver, policy: PolicyDocument | undefined, producer: Producer): string {
  const ignored = new Set(
    (judge(deriver, producer).explanation?.fields ?? []).filter((field) => field.class === "ignored").map(({ field }) => field),
  );
  let { payload } = producer;
  // From the end: places before it stay.
  for (const { name, value } of members(payload).reverse()) {
    if (ignored.has(escaped(name))) payload = replaced(payload, value, anew(payload.slice(value.from, value.to)));
  }
  if (ignored.size === 0) {
    const [name] = Object.keys(policy?.ignored ?? {}).filter((path) => /^\w+$/.test(path));
    const added = name === undefined ? payload : addMember(payload, `${JSON.stringify(name)}: ${JSON.stringify(hex(8))}`);
    if (isSameIntent(deriver, producer, added)) payload = added;
  }
  return payload;
}

/** Another value of the same kind. */
function anew(literal: string): string {
  const value: unknown = JSON.parse(literal);
  if (typeof value === "number") return String(value + 1);
  if (typeof value !== "string") return literal;
  const instant = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(instant)) return JSON.stringify(`${new Date(instant + 31_000).toISOString().slice(0, 19)}Z`);
  return JSON.stringify(/^[\da-f]+$/i.test(value) ? hex(value.length) : value.replace(/[^/_-]*$/, (end) => hex(Math.max(2, end.length))));
}

function hex(length: number): string {
  const digits = "0123456789abcdef";
  return Array.from({ length: Math.min(length, 64) }, () => digits[Math.floor(Math.random() * 16)]).join("");
}
