// Paths as the package writes them: `items[2].sku`, a backslash before what belongs to a name.

/** The steps of a path; `[]`, which stands for every element, is the first one. */
export function steps(path: string): (string | number)[] {
  const found: (string | number)[] = [];
  for (const [step, index, name] of path.matchAll(/\[(\d*)\]|((?:\\.|[^.[\]\\])+)/gs)) {
    if (step.startsWith("[")) found.push(Number(index));
    else if (name !== undefined) found.push(name.replace(/\\(.)/gs, "$1"));
  }
  return found;
}

/** A name as a step of a path. */
export function escaped(name: string): string {
  return name.replace(/[.[\]\\]/g, "\\$&");
}

/** A path without the indexes of its lists. */
export function pattern(path: string): string {
  return path.replace(/\[\d+\]/g, "[]");
}
