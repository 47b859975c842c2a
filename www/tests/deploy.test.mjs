// The build's output as it is, on a host that does nothing for it: under any path, without a header.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { test } from "node:test";
import { inBrowser, onPage, SITE, verdict } from "./browser.mjs";

inBrowser();

const TYPES = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** A host that knows files and their types and no more; `use` is given the page's address. */
async function onBareHost(use) {
  const server = createServer(async (request, response) => {
    const path = request.url.replace(/^\/some\/folder\//, "").replace(/[?#].*$/, "") || "index.html";
    const bytes = await readFile(join(SITE, path)).catch(() => undefined);
    response.writeHead(bytes === undefined ? 404 : 200, { "Content-Type": TYPES[extname(path)] ?? "text/plain" });
    response.end(bytes);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    await use(`http://localhost:${server.address().port}/some/folder/`);
  } finally {
    server.close();
  }
}

/** What the policy must refuse, tried; gives what got through. */
const ATTACKS = async () => {
  const through = [];
  const refused = new Set();
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => refused.add(effectiveDirective));
  const script = document.createElement("script");
  script.textContent = "window.wasInline = true";
  document.body.append(script);
  if (window.wasInline) through.push("an inline script");
  const attribute = document.createElement("div");
  attribute.setAttribute("onclick", "window.wasHandler = true");
  attribute.setAttribute("style", "color: rgb(1, 2, 3)");
  document.body.append(attribute);
  attribute.click();
  if (window.wasHandler) through.push("an inline handler");
  if (getComputedStyle(attribute).color === "rgb(1, 2, 3)") through.push("an inline style");
  await fetch("http://127.0.0.1:9/").then(() => through.push("a request"), () => {});
  document.body.append(Object.assign(new Image(), { src: "http://127.0.0.1:9/x.png" }));
  document.body.append(Object.assign(document.createElement("iframe"), { src: "http://127.0.0.1:9/" }));
  document.body.append(Object.assign(document.createElement("base"), { href: "http://127.0.0.1:9/" }));
  await new Promise((later) => setTimeout(later, 200));
  return { through, refused: [...refused].sort() };
};

test("on a bare host it works, and its own policy holds", () =>
  onBareHost((bare) =>
    onPage(
      async (page) => {
        assert.equal(await verdict(page), "one");
        const refused = ["base-uri", "connect-src", "frame-src", "img-src", "script-src-attr", "script-src-elem", "style-src-attr"];
        assert.deepEqual(await page.evaluate(ATTACKS), { through: [], refused });
      },
      { site: bare, isAttacked: true },
    ),
  ));

test("without its module it says so", () =>
  onPage(async (page) => assert.match(await page.locator("#page").innerText(), /could not load all of its parts/), { isCut: true }));

test("the headers say the same, and who may frame it", () =>
  onPage(
    async (page) => {
      const [meta, header] = await page.evaluate(async () => [
        document.querySelector("meta[http-equiv]").content,
        (await fetch(location.href)).headers.get("content-security-policy"),
      ]);
      assert.equal(header, `${meta}; frame-ancestors 'none'`);
      assert.doesNotMatch(header, /unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)|\*|https?:/);
    },
  ));

test("every file but the page carries its content's hash, and nothing names a host", () => {
  const files = readdirSync(SITE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const named = files.map(({ parentPath, name }) => join(parentPath, name).slice(SITE.length + 1)).sort();
  assert.deepEqual(named.filter((name) => !name.startsWith("assets/")), ["NOTICE.txt", "_headers", "index.html", "licenses.md"]);
  for (const name of named.filter((name) => name.startsWith("assets/"))) assert.match(name, /^assets\/[\w-]+-[\w-]{8}\.(js|css|wasm|svg)$/);
  const page = readFileSync(join(SITE, "index.html"), "utf8");
  for (const [, address] of page.matchAll(/(?:src|href)="([^"]*)"/g)) assert.match(address, /^(\.\/|#)/);
  const licences = readFileSync(join(SITE, "licenses.md"), "utf8");
  for (const name of ["preact", "@preact/signals", "@codemirror/view", "toml-eslint-parser", "smol-toml"]) assert.ok(licences.includes(name), name);
});
