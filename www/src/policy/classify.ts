// Puts a field that the policy does not know into one of its classes.

import type { PolicyText } from "./read";

export type Class = "identity" | "checked" | "ignored";

/** A place to start from for a value of each kind; which rule is right only its owner knows. */
const RULES: Record<string, string> = { number: "decimal", string: "text", boolean: "boolean" };

/** The policy's text with one field more; all else, comments too, stays. */
export function classified({ format, text }: PolicyText, path: string, kind: string, into: Class): string {
  const rule = RULES[kind] ?? "exact";
  if (format === "toml") {
    const value = into === "ignored" ? `"says nothing of what the action is"` : `{ rule = "${rule}", required = false }`;
    return withLine(text, into, `${JSON.stringify(path)} = ${value}`);
  }
  try {
    const document = JSON.parse(text) as Partial<Record<Class, object>>;
    if (Array.isArray(document)) return text;
    const value = into === "ignored" ? "says nothing of what the action is" : { rule, required: false };
    return JSON.stringify({ ...document, [into]: { ...document[into], [path]: value } }, undefined, 2);
  } catch {
    return text;
  }
}

/** A TOML text with a line more under a table's header, or with the table at its end. */
function withLine(text: string, table: string, line: string): string {
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${table}[ \\t]*\\].*$`, "m").exec(text);
  if (header === null) return `${text.trimEnd()}\n\n[${table}]\n${line}\n`;
  const end = header.index + header[0].length;
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}
