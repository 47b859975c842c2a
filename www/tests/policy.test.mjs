// The policy: ready ones, both formats, and what is wrong at its line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, inBrowser, keyOf, onPage, POLICY, settled, textOf, verdict } from "./browser.mjs";

inBrowser();

test("each ready policy comes with two producers that collide, in TOML and in JSON", () =>
  onPage(async (page) => {
    const shapes = { pix: /^[0-9a-f]{40}$/, order: /^[\w-]{43}$/, agent: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, webhook: /^[0-9a-f]{64}$/ };
    for (const [name, shape] of Object.entries(shapes)) {
      await page.locator(`[data-ready=${name}]`).click();
      await settled(page);
      assert.equal(await verdict(page), "one", name);
      const key = await keyOf(page, "first");
      assert.match(key, shape);
      const toml = await textOf(page, POLICY);
      await page.locator("[data-format=json]").click();
      await settled(page);
      JSON.parse(await textOf(page, POLICY));
      assert.equal(await keyOf(page, "first"), key);
      await page.locator("[data-format=toml]").click();
      await settled(page);
      assert.equal(await textOf(page, POLICY), toml, "comments are still there");
    }
  }));

test("a policy of JSON becomes TOML that says the same", () =>
  onPage(async (page) => {
    const digest = () => page.locator("[data-value=digest]").textContent();
    await page.locator("[data-format=json]").click();
    await settled(page);
    const json = JSON.parse(await textOf(page, POLICY));
    await fill(page, POLICY, JSON.stringify({ ...json, bucket_seconds: 1800 }));
    const [key, was] = [await keyOf(page, "first"), await digest()];
    await page.locator("[data-format=toml]").click();
    await settled(page);
    assert.match(await textOf(page, POLICY), /^bucket_seconds = 1800$/m);
    assert.deepEqual([await keyOf(page, "first"), await digest()], [key, was]);
  }));

test("what is wrong stands at its line", () =>
  onPage(async (page) => {
    const toml = await textOf(page, POLICY);
    for (const [from, to, field] of [
      ['{ rule = "pix_key" }', '{ rule = "pix" }', "identity.creditor_key.rule"],
      ["edge_seconds = 20", "edge_seconds = 500", "edge_seconds"],
      ["length = 40", "length = 10", "key.length"],
      ['scope = "tenant"', 'scope = "tenants"', "key.scope"],
      ["[ignored]", "[ignore]", "ignore"],
      ["bucket_seconds = 900", "bucket_seconds = = 900", undefined],
      ["[ignored]", "[ignored", undefined],
      ["bucket_seconds = 900", "bucket_seconds", undefined],
      ["bucket_seconds = 900", "bucket_seconds = 900\nbucket_seconds = 900", undefined],
    ]) {
      const text = toml.replace(from, to);
      await fill(page, POLICY, text);
      const refusal = page.locator("#policy .refusal");
      assert.equal(await refusal.locator("code").first().textContent(), "policy_invalid");
      const line = toml.slice(0, toml.indexOf(from)).split("\n").length + (to.includes("\n") ? 1 : 0);
      assert.equal(await refusal.locator("[data-line]").textContent(), `line ${line}: `, to);
      if (field !== undefined) assert.ok((await refusal.textContent()).includes(` ${field} `), await refusal.textContent());
      assert.equal(await verdict(page), "policy");
      assert.equal(await keyOf(page, "first"), undefined);
    }
    await fill(page, POLICY, toml);
    assert.equal(await verdict(page), "one");
  }));

test("what is wrong in JSON stands at its line too", () =>
  onPage(async (page) => {
    await page.locator("[data-format=json]").click();
    await settled(page);
    const json = await textOf(page, POLICY);
    const line = page.locator("#policy [data-line]");
    await fill(page, POLICY, json.replace('"rule": "pix_key"', '"rule": "pix"'));
    assert.equal(await line.textContent(), `line ${json.slice(0, json.indexOf('"rule": "pix_key"')).split("\n").length}: `);
    await fill(page, POLICY, json.replace('"bucket_seconds": 900,', '"bucket_seconds": 900'));
    assert.equal(await line.textContent(), `line ${json.slice(0, json.indexOf('"bucket_seconds"')).split("\n").length + 1}: `);
  }));

test("policies over time are one document", () =>
  onPage(async (page) => {
    const one = (name, bucket) => `name = "${name}"\nactions = ["pix.transfer"]\nbucket_seconds = ${bucket}`;
    const at = (from, name, bucket) => `[[policies]]\nfrom_epoch = ${from}\n[policies.policy]\n${one(name, bucket)}
[policies.policy.identity]\namount = { rule = "decimal" }\n[policies.policy.ignored]\n${IGNORED}`;
    const IGNORED = ["creditor_key", "currency", "remittance", "debtor_account", "request_id", "attempt", "user_agent", "created_at"].map((name) => `${name} = "not here"`).join("\n");
    await fill(page, POLICY, `${at(0, "old", 900)}\n${at(1796040000, "new", 1800)}`);
    assert.deepEqual(await page.locator(".summary h3").allTextContents(), ["old", "new"]);
    assert.equal(await verdict(page), "one");
  }));

test("a payload of one's own is classified field by field", () =>
  onPage(async (page) => {
    for (const format of ["toml", "json"]) {
      await page.locator("[data-ready=pix]").click();
      await page.locator(`[data-format=${format}]`).click();
      for (const place of ["A", "B"]) {
        await fill(page, `Producer ${place}: payload`, `{"creditor_key": "71460238001", "amount": 1, "currency": "BRL", "order": {"id": "x-1", "lines": [{"n": ${place === "A" ? 1 : 2}}]}, "gift": true}`);
      }
      const put = async (path, into) => {
        await page.locator(".producer.first").getByRole("group", { name: `Classify ${path}` }).locator(`[data-into=${into}]`).click();
        await settled(page);
      };
      await put("gift", "checked");
      await put("order.id", "identity");
      assert.equal(await verdict(page), "refused");
      await put("order.lines[].n", "ignored");
      assert.equal(await verdict(page), "one");
      const row = page.locator('.row[data-field="order.id"]');
      assert.equal(await row.locator(".rule").innerText(), "identity text");
      assert.equal(await page.locator('.row[data-field="order.lines[0].n"] .class').innerText(), "ignored");
    }
  }));

test("the bucket and the edge of the picture go into the policy", () =>
  onPage(async (page) => {
    await page.locator("#bucket").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#edge").focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("button", { name: "Put this bucket and edge into the policy" }).click();
    await settled(page);
    const text = await textOf(page, POLICY);
    assert.match(text, /^bucket_seconds = 1800$/m);
    assert.match(text, /^edge_seconds = 5$/m);
    assert.ok(text.startsWith("# A Pix payment"), "comments are still there");
  }));
