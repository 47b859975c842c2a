// Re-spells each field. What is tried here is guessed; the package says whether it is the same intent.

import type { Deriver } from "intentkey";
import { placeOf } from "../editor/json-places";
import { judge, type Producer } from "../engine/engine";
import { isSameIntent, oneOf, replaced } from "./edit";

/** The payload with every field in another spelling, where one was found. */
export function respell(deriver: Deriver, producer: Producer): string {
  const fields = judge(deriver, producer).explanation?.fields ?? [];
  let { payload } = producer;
  for (const { field, rule, kind } of fields) {
    if (rule === undefined || kind === undefined) continue;
    const at = placeOf(payload, field);
    const literal = payload.slice(at.from, at.to);
    const equal = spellings(rule, literal)
      .filter((spelling) => spelling !== literal)
      .map((spelling) => replaced(payload, at, spelling))
      .filter((changed) => isSameIntent(deriver, producer, changed));
    payload = oneOf(equal) ?? payload;
  }
  return payload;
}

/** Other literals that may mean the same by a rule. */
function spellings(rule: string, literal: string): string[] {
  const value: unknown = JSON.parse(literal);
  if (typeof value === "number" || rule === "decimal" || rule === "integer") {
    const number = typeof value === "string" ? value.trim() : literal;
    return numbers(number).flatMap((written) => [written, JSON.stringify(written)]);
  }
  if (typeof value !== "string") return [];
  const texts = BY_RULE[rule]?.(value.trim()) ?? [];
  const spaced = rule === "exact" || rule === "enum" ? [] : [value, ...texts].map((text) => oneOf([` ${text}`, `${text}  `]) ?? text);
  return texts.length > 0 ? [...texts, ...spaced].map((text) => JSON.stringify(text)) : [escapedFirst(literal)];
}

/** Each rule's own ways; a rule that is not here has none but JSON's. */
const BY_RULE: Record<string, (text: string) => string[]> = {
  text: (text) => [text.toUpperCase(), text.toLowerCase(), text.normalize("NFD").toUpperCase(), text.normalize("NFD")],
  pix_key: (text) => (/^[\d.\-/]+$/.test(text) ? masks(text) : [text.toUpperCase(), text.toLowerCase()]),
  identifier: (text) => (/^[\d.\-/]+$/.test(text) ? masks(text) : [text.toUpperCase()]),
  digits: (text) => masks(text),
  phone: (text) => [text.replace(/^(\+\d\d)(\d\d)(\d+)(\d{4})$/, "$1 ($2) $3-$4"), text.replace(/[ .()-]/g, "")],
  email: (text) => [text.toUpperCase(), text.toLowerCase()],
  uuid: (text) => [text.toUpperCase(), text.replaceAll("-", ""), text.toLowerCase()],
  currency: (text) => [text.toUpperCase(), text.toLowerCase()],
  enum: (text) => [text.toUpperCase(), text.toLowerCase(), (text[0] ?? "").toUpperCase() + text.slice(1)],
  timestamp: (text) => [elsewhere(text), text.replace("T", "t").replace("Z", "z"), text.replace(/Z$/, "+00:00")],
  date: (text) => [`${text} `],
};

/** Other ways to write a number. */
function numbers(number: string): string[] {
  if (!/^-?\d+(\.\d+)?$/.test(number)) return [String(Number(number)), Number(number).toFixed(2)];
  const point = number.includes(".") ? number : `${number}.`;
  return [String(Number(number)), `${point}0`, `${point}00`, `${Number(number) / 100}e2`, `${Number(number) * 10}e-1`, `+${number}`];
}

/** Digits plain, and with the masks that people type. */
function masks(text: string): string[] {
  const digits = text.replace(/\D/g, "");
  const cpf = digits.replace(/^(\d{3})(\d{3})(\d{3})(\d\d)$/, "$1.$2.$3-$4");
  return [digits, cpf, `${digits.slice(0, -2)}-${digits.slice(-2)}`, `${digits.slice(0, 4)}.${digits.slice(4)}`];
}

/** An instant, written three hours to the west. */
function elsewhere(text: string): string {
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? text : `${new Date(instant - 3 * 3_600_000).toISOString().slice(0, 19)}-03:00`;
}

/** A string with its first character as an escape of JSON: the same string. */
function escapedFirst(literal: string): string {
  const code = literal.charCodeAt(1);
  return /^"[A-Za-z0-9]/.test(literal) ? `"\\u${code.toString(16).padStart(4, "0")}${literal.slice(2)}` : literal;
}
