// The page through webpack.

import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import webpack from "webpack";
import { report } from "./report.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const path = fileURLToPath(new URL("./dist/webpack", import.meta.url));
await new Promise((done, failed) => {
  webpack({ context: here, mode: "production", entry: "./main.js", output: { path, clean: true } }, (error, stats) => {
    if (error || stats.hasErrors()) failed(error ?? new Error(stats.toString("errors-only")));
    else done();
  });
});
copyFileSync(`${here}/index.html`, `${path}/index.html`);
await report("webpack", "webpack", path);
