// Serves a folder on this machine as a static host does: with the headers that its `_headers` asks
// for, and in brotli.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";
import { brotliCompressSync } from "node:zlib";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves until the server is closed; port 0 is any free one. */
export async function serve(folder, port = 0) {
  const rules = readRules(readFileSync(join(folder, "_headers"), "utf8"));
  const compressed = new Map();
  const server = createServer((request, response) => answer(folder, rules, compressed, request, response));
  await new Promise((listening, failed) => server.once("error", failed).listen(port, "127.0.0.1", listening));
  return { server, address: `http://localhost:${server.address().port}/` };
}

async function answer(folder, rules, compressed, request, response) {
  const { pathname } = new URL(request.url, "http://localhost");
  for (const { path, headers } of rules) {
    if (pathname.startsWith(path)) for (const [name, value] of headers) response.setHeader(name, value);
  }
  try {
    const file = resolve(folder, `.${decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname)}`);
    if (!file.startsWith(resolve(folder) + sep)) throw new Error("outside of the folder");
    const bytes = await readFile(file);
    response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
    if (!/\bbr\b/.test(request.headers["accept-encoding"] ?? "")) return response.end(bytes);
    if (!compressed.has(file)) compressed.set(file, brotliCompressSync(bytes));
    response.setHeader("Content-Encoding", "br");
    response.end(compressed.get(file));
  } catch {
    response.statusCode = 404;
    response.end();
  }
}

/** The rules of a `_headers` file: a path, and indented under it the headers below that path. */
function readRules(text) {
  const rules = [];
  for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
    if (!line.startsWith(" ")) rules.push({ path: line.trim().replace(/\*$/, ""), headers: [] });
    else rules.at(-1).headers.push(line.trim().split(/:\s(.*)/s).slice(0, 2));
  }
  return rules;
}
