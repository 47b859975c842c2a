// Two producers: what makes them collide, what splits them, what is refused and where that is shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import { A, B, fill, inBrowser, keyOf, onPage, press, refusalOf, settled, textOf, verdict } from "./browser.mjs";

inBrowser();

test("the page opens with one intent, spelled in two ways, and one key", () =>
  onPage(async (page) => {
    assert.equal(await verdict(page), "one");
    const [a, b] = [await keyOf(page, "first"), await keyOf(page, "second")];
    assert.match(a, /^[0-9a-f]{40}$/);
    assert.equal(a, b);
    const amount = page.locator(".row[data-field=amount]");
    assert.equal(await amount.locator(".class").textContent(), "identity");
    assert.equal(await amount.locator(".rule code").textContent(), "decimal");
    assert.deepEqual(await amount.locator(".form small").allTextContents(), ["number", "string"]);
    assert.deepEqual(await amount.locator(".canonical").allTextContents(), ['"150.00"', '"150.00"']);
    const material = '["loja-aurora","pix.transfer",{"amount":"150.00","creditor_key":"71460238001","currency":"BRL","remittance":"almoço de sexta"},1995600]';
    assert.deepEqual(await page.locator("[data-value=material]").allTextContents(), [material, material]);
  }));

test("re-spelled, reordered and retried it is the same intent, every time", () =>
  onPage(async (page) => {
    const key = await keyOf(page, "first");
    for (let round = 0; round < 4; round++) {
      for (const [place, label] of [["first", A], ["second", B]]) {
        for (const button of ["respell", "reorder", "retry"]) {
          const before = await textOf(page, label);
          await press(page, place, button);
          assert.notEqual(await textOf(page, label), before, `${button} changes the text`);
          assert.equal(await verdict(page), "one", await textOf(page, label));
          assert.equal(await keyOf(page, place), key);
        }
      }
    }
  }));

test("a retry that reads the clock gets another key", () =>
  onPage(async (page) => {
    await press(page, "second", "clock");
    assert.equal(await verdict(page), "split: bucket");
    assert.notEqual(await keyOf(page, "first"), await keyOf(page, "second"));
    await press(page, "second", "reset");
    assert.equal(await verdict(page), "one");
  }));

test("each way to break a payload is refused where it belongs", () =>
  onPage(async (page) => {
    for (const { button, code, field, marked } of [
      { button: "unclassified", code: "field_unclassified", field: "colour", marked: '"red"' },
      { button: "surrogate", code: "text_not_unicode", field: "creditor_key", marked: '"714.602.380-01\\ud83d"' },
      { button: "nan", code: "json_malformed", field: undefined, marked: "NaN" },
    ]) {
      await press(page, "first", button);
      assert.equal(await verdict(page), "refused");
      assert.deepEqual(await refusalOf(page, "first"), { code, field });
      assert.equal(await refusalOf(page, "second"), undefined);
      assert.equal(await page.locator(".producer.first .cm-lintRange-error").first().textContent(), marked);
      assert.equal(await page.locator(".row[data-refused=first] .code").textContent(), code);
      assert.equal(await keyOf(page, "first"), undefined);
      await press(page, "first", "reset");
      assert.equal(await verdict(page), "one");
    }
  }));

test("what is typed splits, conflicts or is refused by its field", () =>
  onPage(async (page) => {
    const text = await textOf(page, A);
    for (const [from, to, expected] of [
      ["150.00", "150.01", "split: amount"],
      ["Almoço de sexta", "Almoço de sábado", "split: remittance"],
      ['"BRL"', '"USD"', "split: currency"],
      ["0001 123456-7", "0001 123456-8", "conflict: debtor_account"],
      ["aurora-app/8.2", "aurora-app/9.0", "one"],
    ]) {
      await fill(page, A, text.replace(from, to));
      assert.equal(await verdict(page), expected);
      if (expected.startsWith("split")) assert.equal(await page.locator(".row.blamed").getAttribute("data-field"), expected.slice(7));
    }
    for (const [from, to, expected] of [
      ["714.602.380-01", "714.602.380-02", { code: "pix_key_unrecognized", field: "creditor_key" }],
      ['"amount": 150.00,', "", { code: "field_missing", field: "amount" }],
      ["150.00", "null", { code: "field_null", field: "amount" }],
      ["150.00", '150.00, "amount": 150', { code: "field_duplicate", field: "amount" }],
      ["150.00", "123456789012345678901", { code: "number_unsafe", field: "amount" }],
    ]) {
      await fill(page, A, text.replace(from, to));
      assert.deepEqual(await refusalOf(page, "first"), expected);
    }
  }));

test("tenant, action and epoch count, and are refused at their inputs", () =>
  onPage(async (page) => {
    const of = (name) => page.locator(`.producer.first input[name=${name}]`);
    for (const [name, value, expected] of [
      ["tenant", "loja-boreal", "split: tenant"],
      ["action", "pix.refund", "split: action"],
      ["epoch", "1796040900", "split: bucket"],
    ]) {
      const before = await of(name).inputValue();
      await of(name).fill(value);
      assert.equal(await verdict(page), expected);
      await of(name).fill(before);
    }
    for (const [name, value, code] of [
      ["tenant", "", "tenant_empty"],
      ["action", "pix.Transfer", "action_unknown"],
      ["epoch", "", "epoch_invalid"],
      ["epoch", "now", "epoch_invalid"],
      ["epoch", "1796040300000", "epoch_in_milliseconds"],
    ]) {
      const before = await of(name).inputValue();
      await of(name).fill(value);
      assert.equal((await refusalOf(page, "first")).code, code);
      assert.equal(await of(name).getAttribute("aria-invalid"), "true");
      await of(name).fill(before);
      assert.equal(await verdict(page), "one");
    }
  }));

test("near a bucket's end the edge key joins two buckets", () =>
  onPage(async (page) => {
    await page.locator(".producer.first input[name=epoch]").fill("1796040890");
    await page.locator(".producer.second input[name=epoch]").fill("1796040905");
    await settled(page);
    assert.equal(await verdict(page), "edge");
    const edges = await page.locator("[data-value=edge]").allTextContents();
    assert.equal(edges.length, 2);
    assert.equal(edges[0], edges[1]);
  }));
