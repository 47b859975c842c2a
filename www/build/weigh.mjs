// What the built page weighs.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** Prints each file that the page loads, raw and in brotli, in bytes. */
export function printWeights(folder) {
  console.log(`${"file".padEnd(46)} ${"raw".padStart(9)} ${"brotli".padStart(9)}`);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name));
    const brotli = brotliCompressSync(bytes).length;
    console.log(`${name.padEnd(46)} ${String(bytes.length).padStart(9)} ${String(brotli).padStart(9)}`);
  }
}
