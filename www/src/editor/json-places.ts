// Where things stand in JSON text, also in text that is broken.

import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/json";
import { steps } from "./path";

/** A stretch of a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where the text stops being JSON; undefined where it is JSON, or nothing but the package sees why not. */
export function brokenAt(text: string): Range | undefined {
  let found: Range | undefined;
  parser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError) found ??= { from: Math.min(node.from, Math.max(0, text.length - 1)), to: Math.max(node.from + 1, node.to) };
      return found === undefined;
    },
  });
  return found;
}

/** The value at a path, or what stands nearest above it. */
export function placeOf(text: string, path: string): Range {
  let at = top(text);
  for (const step of steps(path)) {
    const below = typeof step === "number" ? elements(at)[step] : named(text, at, step).at(-1);
    if (below === undefined) break;
    at = below;
  }
  return { from: at.from, to: at.to };
}

/** The second name of two that are the same: the one at a path. */
export function repeatedAt(text: string, path: string): Range {
  const way = steps(path);
  const last = way.pop();
  let at = top(text);
  for (const step of way) at = (typeof step === "number" ? elements(at)[step] : named(text, at, step).at(-1)) ?? at;
  const name = named(text, at, String(last)).at(-1)?.parent?.getChild("PropertyName");
  return { from: name?.from ?? at.from, to: name?.to ?? at.to };
}

/** A member of an object, in the text. */
export interface Member extends Range {
  readonly name: string;
  readonly value: Range & { readonly kind: string };
}

/** The members of the object that the whole text is; none where it is no object. */
export function members(text: string): Member[] {
  return properties(top(text)).flatMap((property) => {
    const value = property.lastChild;
    const name = nameOf(text, property);
    if (value === null || name === undefined || value.name === "PropertyName") return [];
    return [{ name, from: property.from, to: property.to, value: { from: value.from, to: value.to, kind: value.name } }];
  });
}

function top(text: string): SyntaxNode {
  const tree = parser.parse(text);
  return tree.topNode.firstChild ?? tree.topNode;
}

function properties(node: SyntaxNode): SyntaxNode[] {
  return node.name === "Object" ? node.getChildren("Property") : [];
}

function elements(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  if (node.name !== "Array") return found;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (/^[A-Z]/.test(child.name)) found.push(child);
  }
  return found;
}

/** The values of all members that have this name. */
function named(text: string, node: SyntaxNode, name: string): SyntaxNode[] {
  return properties(node).flatMap((property) => {
    const value = property.lastChild;
    return value !== null && nameOf(text, property) === name ? [value] : [];
  });
}

/** The name of a member, its escapes read. */
function nameOf(text: string, property: SyntaxNode): string | undefined {
  const name = property.getChild("PropertyName");
  try {
    return name === null ? undefined : String(JSON.parse(text.slice(name.from, name.to)));
  } catch {
    return undefined;
  }
}
