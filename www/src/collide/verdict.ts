// Whether two intents collide, and what splits them. Keys, fingerprints and material are the package's.

import type { Explanation } from "intentkey";
import { escaped, pattern } from "../editor/path";
import type { Outcome } from "../engine/engine";

/** A member of the material beside the fields. */
export type Part = "tenant" | "action" | "bucket";

/** How two intents come together. */
export type Verdict =
  | { readonly is: "refused" }
  /** One key, one fingerprint: a repeat. */
  | { readonly is: "one" }
  /** One key, two fingerprints: the store answers 422. */
  | { readonly is: "conflict"; readonly fields: readonly string[] }
  /** Two keys, and a second one near the bucket's edge that both have. */
  | { readonly is: "edge" }
  | { readonly is: "split"; readonly fields: readonly string[]; readonly parts: readonly Part[] };

/** Compares what became of two intents. */
export function verdictOf({ explanation: a }: Outcome, { explanation: b }: Outcome): Verdict {
  if (a === undefined || b === undefined) return { is: "refused" };
  if (a.key === b.key) {
    return a.fingerprint === b.fingerprint ? { is: "one" } : { is: "conflict", fields: unequalChecked(a, b) };
  }
  if (a.edge !== undefined && a.edge.key === b.edge?.key) return { is: "edge" };
  return { is: "split", ...unequalMaterial(a, b) };
}

function unequalChecked(a: Explanation, b: Explanation): string[] {
  return [...new Set([...a.fields, ...b.fields].filter((field) => field.class === "checked").map(({ field }) => pattern(field)))].filter(
    (of) => !areEqual(a, b, of),
  );
}

/** Whether a field (in a list: all of its elements, in any order) has the same canonical forms in both. */
export function areEqual(a: Explanation, b: Explanation, of: string): boolean {
  const forms = ({ fields }: Explanation) =>
    fields.flatMap(({ field, canonical }) => (pattern(field) === of && canonical !== undefined ? [canonical] : [])).sort();
  return JSON.stringify(forms(a)) === JSON.stringify(forms(b));
}

type Material = readonly [string, string, unknown, number];

function unequalMaterial(a: Explanation, b: Explanation): { fields: string[]; parts: Part[] } {
  const [first, second] = [JSON.parse(a.material) as Material, JSON.parse(b.material) as Material];
  const parts: Part[] = [];
  if (first[0] !== second[0]) parts.push("tenant");
  if (first[1] !== second[1]) parts.push("action");
  if (first[3] !== second[3]) parts.push("bucket");
  return { fields: [...new Set(unequal(first[2], second[2], ""))], parts };
}

/** The paths, without indexes, at which two bodies differ. */
function unequal(a: unknown, b: unknown, path: string): string[] {
  if (Object.is(a, b)) return [];
  if (Array.isArray(a) && Array.isArray(b)) {
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => unequal(a[index], b[index], `${path}[]`)).flat();
  }
  if (isObject(a) && isObject(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].flatMap((name) => unequal(a[name], b[name], path === "" ? escaped(name) : `${path}.${escaped(name)}`));
  }
  return [path];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
