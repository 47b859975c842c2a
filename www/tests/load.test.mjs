// What the page weighs, and how soon it is there on a slow line.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { ARTIFACTS, inBrowser, onPage } from "./browser.mjs";

inBrowser();

/** A slow line: 1.6 Mbit/s, 150 ms there and back. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 100_000 };
/** How often the slow line is tried: the best counts, for the machine may be busy. */
const TRIES = 3;

test("what is loaded weighs what the README says", () => {
  const loaded = new Map();
  return onPage(
    async (page) => {
      page.on("response", (response) => loaded.set(response.url(), response.body()));
      await page.reload();
      await page.waitForSelector("#share");
      await page.waitForTimeout(500);
      const sizes = await Promise.all([...loaded.entries()].map(async ([url, body]) => {
        const bytes = await body;
        return { name: new URL(url).pathname, raw: bytes.length, brotli: brotliCompressSync(bytes).length };
      }));
      const sum = (files, of) => files.reduce((total, file) => total + file[of], 0);
      const first = sizes.filter(({ name }) => !/workbench/.test(name));
      const weight = {
        files: sizes,
        first: { raw: sum(first, "raw"), brotli: sum(first, "brotli") },
        all: { raw: sum(sizes, "raw"), brotli: sum(sizes, "brotli") },
      };
      writeFileSync(join(ARTIFACTS, "weight.json"), JSON.stringify(weight, undefined, 2));
      assert.ok(sizes.some(({ name }) => name.endsWith(".wasm")) && sizes.some(({ name }) => /workbench/.test(name)));
      assert.equal(sizes.length, new Set(sizes.map(({ name }) => name)).size, "nothing is loaded twice");
    },
  );
});

test("on a slow line the words are there at once, and the picture in a moment", async () => {
  const times = [];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await onPage(async (page) => {
      const line = await page.context().newCDPSession(page);
      await line.send("Network.enable");
      await line.send("Network.setCacheDisabled", { cacheDisabled: true });
      await line.send("Network.emulateNetworkConditions", SLOW);
      await page.reload();
      await page.waitForSelector("#share");
      times.push(await page.evaluate(() => ({
        words: performance.getEntriesByName("first-contentful-paint")[0].startTime,
        picture: performance.getEntriesByName("interactive")[0].startTime,
        editors: performance.now(),
      })));
    });
  }
  const best = (of) => Math.round(Math.min(...times.map((time) => time[of])));
  const found = { words: best("words"), picture: best("picture"), editors: best("editors") };
  console.log(`on a slow line, in milliseconds: ${JSON.stringify(found)} of ${JSON.stringify(times)}`);
  writeFileSync(join(ARTIFACTS, "slow-line.json"), JSON.stringify(found));
  assert.ok(found.words < 1000, "words within a second");
  assert.ok(found.picture < 2000, "the picture, which plays, within two on a busy machine");
});
