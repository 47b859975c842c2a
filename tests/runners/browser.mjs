// Serves a folder on this machine and opens one of its pages in Chromium.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, resolve, sep } from "node:path";
import { chromium } from "playwright-core";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** Without these Chromium looks for its maker's hosts at every start. */
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** How long a page may take. */
const PATIENCE = 120_000;

/**
 * Opens a page and gives what `window.result`, a promise, comes to.
 *
 * @param folder what is served
 * @param path the page, from the root of `folder`
 * @param more paths that are answered otherwise: a function from a request to a body
 */
export async function inChromium(folder, path, more = {}) {
  const server = createServer((request, response) => answer(folder, more, request, response));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const browser = await chromium.launch({ executablePath: process.env.INTENTKEY_CHROMIUM, args: FLAGS });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    const errors = [];
    page.on("pageerror", (error) => errors.push(error));
    page.on("requestfailed", (request) => errors.push(new Error(`${request.url()} did not load`)));
    await page.goto(`http://localhost:${server.address().port}${path}`);
    await page.waitForFunction(() => window.result !== undefined).catch(() => {
      throw errors[0] ?? new Error(`${path} has no result`);
    });
    return { version: browser.version(), result: await page.evaluate(() => window.result) };
  } finally {
    await browser.close();
    server.close();
  }
}

async function answer(folder, more, request, response) {
  const { pathname } = new URL(request.url, "http://localhost");
  try {
    const other = more[pathname];
    const file = resolve(folder, `.${decodeURIComponent(pathname)}`);
    if (!other && !file.startsWith(resolve(folder) + sep)) throw new Error("outside of the folder");
    const body = other ? await other(request) : await readFile(file);
    response.setHeader("Content-Type", TYPES[extname(pathname)] ?? "application/octet-stream");
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
}
