// The page through esbuild.

import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { report } from "./report.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const outdir = fileURLToPath(new URL("./dist/esbuild", import.meta.url));
await build({ absWorkingDir: here, entryPoints: ["main.js"], bundle: true, format: "esm", splitting: true, outdir, logLevel: "warning" });
copyFileSync(`${here}/index.html`, `${outdir}/index.html`);
await report("esbuild", "esbuild", outdir);
