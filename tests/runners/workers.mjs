// Bundles a worker as Cloudflare's own tool does, and starts it in miniflare, which is workerd.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const module = new URL("./node_modules/intentkey/intentkey.wasm", import.meta.url);

/**
 * @param entry the worker's main module, from this folder
 * @param options of miniflare: bindings, a service for what the worker fetches
 */
export async function startWorker(entry, options = {}) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    // Compiled by the platform, never by the worker.
    external: ["*.wasm"],
    write: false,
    logLevel: "error",
  });
  return new Miniflare({
    compatibilityDate: "2026-01-01",
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
      { type: "CompiledWasm", path: "intentkey.wasm", contents: readFileSync(module) },
    ],
    ...options,
  });
}
