// Builds the page: `node build.mjs PACKAGE OUT`, with the JavaScript package that `cargo pack` made,
// into a folder that a static host can serve as it is.

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./build/run.mjs";
import { printWeights } from "./build/weigh.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const [pack, out] = process.argv.slice(2).map((path) => resolve(path));
if (out === undefined) throw new Error("usage: node build.mjs PACKAGE OUT");

installTools();
const installed = join(here, "node_modules/intentkey");
rmSync(installed, { recursive: true, force: true });
cpSync(pack, installed, { recursive: true });
run("node", ["node_modules/typescript/bin/tsc"], here);
run("node", ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "--outDir", out], here);
printWeights(out);

/** The npm packages, unless they are there as the lock file says. */
function installTools() {
  const lock = readFileSync(join(here, "package-lock.json"));
  const mark = join(here, "node_modules/.installed-for");
  try {
    if (readFileSync(mark).equals(lock)) return;
  } catch {}
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], here);
  writeFileSync(mark, lock);
}
