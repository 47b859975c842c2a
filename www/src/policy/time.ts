// Puts a bucket and an edge into a policy's text.

import type { PolicyText } from "./read";

/** The text with other times; all else, comments too, stays. */
export function withTimes({ format, text }: PolicyText, bucket: number, edge: number): string {
  if (format === "json") {
    try {
      const document = JSON.parse(text) as object;
      if (Array.isArray(document)) return text;
      return JSON.stringify({ ...document, bucket_seconds: bucket, edge_seconds: edge }, undefined, 2);
    } catch {
      return text;
    }
  }
  return withLine(withLine(text, "edge_seconds", edge), "bucket_seconds", bucket);
}

/** A TOML text with a number at its top, in the line that had one or before the first table. */
function withLine(text: string, name: string, number: number): string {
  const end = text.search(/^\s*\[/m);
  const [top, rest] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  const line = new RegExp(`^(\\s*${name}\\s*=\\s*)\\d+`, "m");
  if (line.test(top)) return top.replace(line, `$1${number}`) + rest;
  return `${top.replace(/\n*$/, "\n")}${name} = ${number}\n\n${rest}`;
}
