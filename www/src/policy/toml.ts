// TOML as JSON, and where its places stand.

import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import { steps } from "../editor/path";
import type { Range } from "../editor/json-places";

/** A value of a TOML document, with its place. */
interface Node extends Range {
  is: string | Node[] | Map<string, Node>;
}

/** A TOML document. */
export interface TomlDocument {
  readonly json: string;
  /** Where a place of a policy stands, or the nearest above it. */
  readonly placeOf: (path: string) => Range | undefined;
}

/** What is wrong with a text that is no TOML, and where. */
export interface TomlProblem extends Range {
  readonly message: string;
}

/** Reads a TOML text. */
export function readToml(text: string): TomlDocument | TomlProblem {
  try {
    const root = treeOf(parseTOML(text).body[0]);
    // Policies over time are a list under one name, which is the whole document.
    const alone = root.is instanceof Map && root.is.size === 1 ? root.is.get("policies") : undefined;
    const document = Array.isArray(alone?.is) ? alone : root;
    return { json: jsonOf(document), placeOf: (path) => find(document, path) };
  } catch (thrown) {
    if (thrown instanceof ParseError) return problemOf(text, thrown);
    // It has nested values by the thousand.
    if (thrown instanceof RangeError) return { message: "nested too deeply, or too long", from: 0, to: 1 };
    throw thrown;
  }
}

/** What is missing at a line's end is only missed on the next: it is shown where it should have been. */
function problemOf(text: string, { message, index }: ParseError): TomlProblem {
  const isMissed = /^(Unterminated|The key, equals sign)/.test(message);
  const lines = text.slice(0, index).split("\n");
  while (isMissed && lines.length > 1 && /^\s*(#|$)/.test(lines.at(-1) ?? "")) lines.pop();
  const from = isMissed ? Math.max(0, lines.join("\n").length - 1) : index;
  return { message, from, to: from + 1 };
}

function find(document: Node, path: string): Range | undefined {
  let at: Node | undefined;
  let { is } = document;
  for (const step of steps(path)) {
    const below = Array.isArray(is) ? is[Number(step)] : is instanceof Map ? is.get(String(step)) : undefined;
    if (below === undefined) break;
    at = below;
    ({ is } = below);
  }
  return at && { from: at.from, to: at.to };
}

function treeOf(table: AST.TOMLTopLevelTable): Node {
  const root: Node = { from: 0, to: table.range[1], is: new Map() };
  for (const part of table.body) {
    if (part.type === "TOMLKeyValue") put(root, part);
    else {
      const [from, to] = part.key.range;
      const under = part.resolvedKey.reduce((node: Node, step) => descend(node, step, { from, to }), root);
      for (const pair of part.body) put(under, pair);
    }
  }
  return root;
}

/** The node under another, made where it is not there yet. */
function descend(node: Node, step: string | number, place: Range): Node {
  if (typeof step === "number") {
    // A list of tables: what stood for it until now was an empty table.
    const list: Node[] = Array.isArray(node.is) ? node.is : [];
    node.is = list;
    return (list[step] ??= { ...place, is: new Map() });
  }
  const members = node.is instanceof Map ? node.is : new Map<string, Node>();
  const below = members.get(step) ?? { ...place, is: new Map() };
  members.set(step, below);
  return below;
}

function put(table: Node, { key, value }: AST.TOMLKeyValue): void {
  const names = key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value));
  const [from, to] = [key.range[0], value.range[1]];
  const last = names.pop() ?? "";
  const under = names.reduce((node, name) => descend(node, name, { from, to }), table);
  if (under.is instanceof Map) under.is.set(last, { from, to, is: valueOf(value) });
}

function valueOf(value: AST.TOMLContentNode): Node["is"] {
  if (value.type === "TOMLArray") {
    return value.elements.map((element) => ({ from: element.range[0], to: element.range[1], is: valueOf(element) }));
  }
  if (value.type === "TOMLInlineTable") {
    const table: Node = { from: value.range[0], to: value.range[1], is: new Map() };
    for (const pair of value.body) put(table, pair);
    return table.is;
  }
  // What TOML has and JSON has not becomes a value that the schema refuses at its place.
  if (value.kind === "integer") return String(value.bigint);
  return value.kind.endsWith("date") || value.kind.endsWith("time") ? "null" : JSON.stringify(value.value);
}

/** A leaf holds its JSON text. */
function jsonOf({ is }: Node): string {
  if (typeof is === "string") return is;
  if (Array.isArray(is)) return `[${is.map(jsonOf).join(",")}]`;
  return `{${[...is].map(([name, below]) => `${JSON.stringify(name)}:${jsonOf(below)}`).join(",")}}`;
}
