// A policy in the other format.

import { stringify } from "smol-toml";
import type { Format, PolicyText } from "./read";
import { readToml } from "./toml";

/** The same policy in a format; the text as it is where it cannot be read. Comments do not survive JSON. */
export function converted({ format, text }: PolicyText, to: Format): string {
  if (format === to) return text;
  if (to === "json") {
    const read = readToml(text);
    return "json" in read ? JSON.stringify(JSON.parse(read.json), undefined, 2) : text;
  }
  try {
    const document: unknown = JSON.parse(text);
    return stringify(Array.isArray(document) ? { policies: document } : document);
  } catch {
    return text;
  }
}
