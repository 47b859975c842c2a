// A policy's text, read: what derives by it, or what is wrong with it and where.

import type { Deriver, PolicyDocument, Refusal } from "intentkey";
import { brokenAt, placeOf, type Range } from "../editor/json-places";
import { open } from "../engine/engine";
import { readToml } from "./toml";

export type Format = "toml" | "json";

/** A policy as it was typed. */
export interface PolicyText {
  readonly format: Format;
  readonly text: string;
}

/** What is wrong with a policy. */
export interface Problem {
  readonly refusal: Refusal;
  readonly at?: Range | undefined;
}

/** A policy that derives. */
export interface ReadPolicy {
  readonly deriver: Deriver;
  readonly json: string;
  /** One policy, or policies over time. */
  readonly documents: readonly PolicyDocument[];
}

/** The longest text that this page reads, in UTF-16 units; the command has no such limit. */
export const LONGEST = 256 * 1024;

/** Reads a policy. `tooLong` is what is said of a text that the page does not read. */
export function readPolicy({ format, text }: PolicyText, tooLong: string): ReadPolicy | Problem {
  if (text.length > LONGEST) return invalid(tooLong, { from: 0, to: 1 });
  if (format === "json") return opened(text, (field) => (field === undefined ? brokenAt(text) : placeOf(text, field)));
  const toml = readToml(text);
  if ("message" in toml) return invalid(toml.message, toml);
  return opened(toml.json, (field) => (field === undefined ? undefined : toml.placeOf(field)));
}

function opened(json: string, find: (field: string | undefined) => Range | undefined): ReadPolicy | Problem {
  const made = open(json);
  if ("code" in made) return { refusal: made, at: find(made.field) };
  const documents: unknown = JSON.parse(json);
  const list = Array.isArray(documents) ? documents.map(({ policy }) => policy) : [documents];
  return { deriver: made, json, documents: list };
}

const invalid = (message: string, at: Range): Problem => ({ refusal: { code: "policy_invalid", message }, at });
