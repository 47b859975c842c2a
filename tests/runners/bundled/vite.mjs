// The page through Vite.

import { fileURLToPath } from "node:url";
import { build } from "vite";
import { report } from "./report.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const outDir = fileURLToPath(new URL("./dist/vite", import.meta.url));
await build({ root: here, logLevel: "warn", build: { outDir, emptyOutDir: true } });
await report("Vite", "vite", outDir);
