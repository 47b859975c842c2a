// Bad input: it gets its error, and the next keystroke works.

import assert from "node:assert/strict";
import { test } from "node:test";
import { A, B, fill, inBrowser, onPage, POLICY, refusalOf, settled, textOf, verdict } from "./browser.mjs";

inBrowser();

const deep = (depth) => "[".repeat(depth) + "]".repeat(depth);

test("garbage in a payload never breaks the page", () =>
  onPage(async (page) => {
    const good = await textOf(page, A);
    for (const [garbage, code] of [
      ["", "json_malformed"],
      ["{", "json_malformed"],
      ["}{][", "json_malformed"],
      ["null", "payload_not_object"],
      ["[]", "payload_not_object"],
      ["\u0000\u0001\ufeff\u202e\u{1f600}\ud83d", "json_malformed"],
      ["<script>alert(1)</script>", "json_malformed"],
      ['{"__proto__": {"x": 1}}', "field_unclassified"],
      ["{}", "field_missing"],
      [`{"amount": ${"9".repeat(100_000)}}`, "number_unsafe"],
      [deep(10_000), "payload_too_deep"],
      [`{"amount": ${deep(10_000)}}`, "payload_too_deep"],
      [`{"remittance": ${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`, "payload_too_deep"],
      [`{"remittance": "${"x".repeat(1_200_000)}"}`, "payload_too_large"],
    ]) {
      await fill(page, A, garbage);
      const shown = (await refusalOf(page, "first"))?.code;
      assert.equal(shown, code, garbage.slice(0, 40));
      await fill(page, A, good);
      assert.equal(await verdict(page), "one");
    }
  }));

test("what is ignored may be as deep as it likes", () =>
  onPage(async (page) => {
    const good = await textOf(page, B);
    await fill(page, B, good.replace('"4e90c3d8"', deep(10_000)));
    await page.waitForFunction(() => document.querySelector(".banner").dataset.verdict === "one");
    assert.equal(await refusalOf(page, "second"), undefined);
  }));

test("a policy of a megabyte gets its error, and the next keystroke works", () =>
  onPage(async (page) => {
    const good = await textOf(page, POLICY);
    const fields = Array.from({ length: 24_000 }, (_, index) => `field_${index} = { rule = "text", required = false }`).join("\n");
    for (const large of [`${good}\n[identity.more]\n${fields}`, `#${"x".repeat(1_100_000)}`, "x".repeat(1_100_000), `a = ${deep(550_000)}`]) {
      assert.ok(large.length > 1_000_000);
      await fill(page, POLICY, large);
      assert.match(await page.locator("#policy .refusal").innerText(), /policy_invalid.*at most 256 KB/);
      assert.equal(await verdict(page), "policy");
      await fill(page, POLICY, good);
      assert.equal(await verdict(page), "one");
    }
  }));

test("garbage in a policy never breaks the page", () =>
  onPage(async (page) => {
    const good = await textOf(page, POLICY);
    const broken = async (garbage) => {
      await fill(page, POLICY, garbage);
      assert.match(await page.locator("#policy .refusal").innerText(), /policy_invalid/, garbage.slice(0, 40));
    };
    for (const garbage of ["", "=", "[[[", "\u0000", "a = 1", "<b>", `a = ${deep(10_000)}`, `a = '${"x".repeat(200_000)}'`, "__proto__ = 1", "[constructor.prototype]\nx = 1", `${good}\n__proto__ = { rule = "text" }`, "name = 1979-05-27", "bucket_seconds = inf"]) {
      await broken(garbage);
    }
    await fill(page, POLICY, good);
    assert.equal(await verdict(page), "one");
    await page.locator("[data-format=json]").click();
    await settled(page);
    for (const garbage of ["", "{", "null", "[]", "[null]", '"x"', deep(10_000), '{"name": 1}', `{"name": "a", "name": "b"}`]) await broken(garbage);
    await page.locator("[data-format=toml]").click();
    await fill(page, POLICY, good);
    assert.equal(await verdict(page), "one");
  }));

test("what is typed key by key is followed, and undone", () =>
  onPage(async (page) => {
    await page.getByRole("textbox", { name: A }).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("[[[");
    await settled(page);
    assert.equal((await refusalOf(page, "first")).code, "json_malformed");
    for (let index = 0; index < 3; index++) await page.keyboard.press("Backspace");
    await settled(page);
    assert.equal(await verdict(page), "one");
    await fill(page, A, "gone");
    await page.keyboard.press("Control+Z");
    await settled(page);
    assert.equal(await verdict(page), "one");
  }));
