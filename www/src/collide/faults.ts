// Where in a payload's text a refusal belongs.

import type { Refusal } from "intentkey";
import type { Fault } from "../editor/editor";
import { brokenAt, placeOf, type Range, repeatedAt } from "../editor/json-places";
import { line } from "../page/refusals";

/** Refusals of what stands beside the payload. */
const ELSEWHERE: Partial<Record<Refusal["code"], "tenant" | "action" | "epoch">> = {
  tenant_empty: "tenant",
  tenant_not_held: "tenant",
  action_unknown: "action",
  epoch_invalid: "epoch",
  epoch_in_milliseconds: "epoch",
  policy_missing_for_epoch: "epoch",
};

/** The input beside the payload that is refused; undefined where it is the payload. */
export function inputOf(refusal: Refusal | undefined): "tenant" | "action" | "epoch" | undefined {
  if (refusal === undefined) return undefined;
  if (refusal.code === "intent_invalid" && (refusal.field === "tenant" || refusal.field === "action")) return refusal.field;
  return ELSEWHERE[refusal.code];
}

/** The places of the payload's text that a refusal is about. */
export function faultsOf(payload: string, refusal: Refusal | undefined): Fault[] {
  if (refusal === undefined || inputOf(refusal) !== undefined) return [];
  return rangesOf(payload, refusal).map((range) => ({ ...range, message: line(refusal) }));
}

function rangesOf(payload: string, { code, field, fields }: Refusal): Range[] {
  if (code === "json_malformed") return [brokenAt(payload) ?? { from: 0, to: 1 }];
  if (code === "field_duplicate" && field !== undefined) return [repeatedAt(payload, field)];
  if (fields !== undefined) return fields.map((path) => placeOf(payload, path));
  if (field !== undefined) return [placeOf(payload, field)];
  return [{ from: 0, to: 1 }];
}
