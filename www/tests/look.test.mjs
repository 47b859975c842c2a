// How the page looks and is used: for everybody, on every screen, in both themes and languages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { A, ARTIFACTS, fill, inBrowser, onPage, press, settled, verdict } from "./browser.mjs";

inBrowser();

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds, as rule and place. */
async function accessibility(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(" ")} ${failureSummary}`));
  });
}

/** Keeps a picture of the whole page, as tall as it is, so that everything in it is laid out. */
async function keep(page, name) {
  const { width } = page.viewportSize();
  await page.setViewportSize({ width, height: await page.evaluate(() => document.documentElement.scrollHeight) });
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(ARTIFACTS, "screenshots", `${name}.png`) });
}

const SCREENS = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1180 }, wide: { width: 1440, height: 900 } };

for (const [screen, viewport] of Object.entries(SCREENS)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const locale of ["en-GB", "pt-BR"]) {
      const name = `${screen}-${colorScheme}-${locale.slice(0, 2)}`;
      test(`${name}: no barrier, nothing beside the screen`, () =>
        onPage(
          async (page) => {
            assert.equal(await page.evaluate(() => document.documentElement.lang), locale === "pt-BR" ? "pt-BR" : "en");
            const check = async (state) => {
              assert.deepEqual(await accessibility(page), [], state);
              const [needed, has] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
              assert.ok(needed <= has, `${state}: ${needed} px on a screen of ${has}`);
            };
            await check("as it opens");
            await page.screenshot({ path: join(ARTIFACTS, "screenshots", `${name}-first.png`) });
            await keep(page, name);
            await page.setViewportSize(viewport);
            await press(page, "second", "clock");
            await check("split");
            await press(page, "first", "unclassified");
            await page.locator("#edge").focus();
            for (let step = 0; step < 2; step++) await page.keyboard.press("ArrowRight");
            await check("refused");
            await keep(page, `${name}-refused`);
          },
          { viewport, colorScheme, locale },
        ));
    }
  }
}

test("on no screen is anything beside it", () =>
  onPage(async (page) => {
    for (const width of [320, 480, 600, 760, 900, 1024, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(150);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
  }));

test("the keyboard alone reaches everything, and leaves the editors", () =>
  onPage(async (page) => {
    const reached = [];
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const of = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
        return of === document.body ? null : (of.getAttribute("aria-label") ?? of.id) || of.name || of.innerText.trim();
      });
      if (at === null) break;
      reached.push(at);
    }
    const wanted = [
      "Skip to the picture", "intentkey", "Time", "Share", "EN: English", "PT: Português", "Theme: Auto", "Play again", "delay", "bucket", "skew",
      "edge", "Put this bucket and edge into the policy", "Reset", "tenant", "action", "epoch", "Producer A: payload in JSON", "Re-spell", "NaN",
      "Producer B: payload in JSON", "Pix payment", "Webhook", "JSON", "Policy (TOML)", "Copy link", "Save policy.toml",
      "Save derive.mjs", "Copy: Derive on the command line", "Derive in JavaScript",
    ];
    let from = 0;
    for (const name of wanted) {
      const at = reached.indexOf(name, from);
      assert.ok(at >= 0, `${name} is not reached after ${reached[from - 1]}: ${reached.join(" | ")}`);
      from = at;
    }
    // And without a mouse a payload is edited.
    await page.getByRole("textbox", { name: A }).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Tab");
    await settled(page);
    assert.equal(await verdict(page), "refused");
    assert.equal(await page.evaluate(() => document.activeElement.innerText), "Re-spell");
  }));

test("language and theme are chosen, and remembered", () =>
  onPage(async (page) => {
    const state = () => page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.theme, document.title]);
    await page.getByRole("button", { name: "Português" }).click();
    await page.getByRole("button", { name: /^Tema/ }).click();
    await page.getByRole("button", { name: /^Tema/ }).click();
    const chosen = await state();
    assert.deepEqual(chosen.slice(0, 2), ["pt-BR", "dark"]);
    assert.match(await page.locator(".banner").innerText(), /Colidem/);
    assert.equal(await page.locator("h1").innerText(), "Uma nova tentativa não pode pagar duas vezes.");
    await fill(page, "Produtor A: conteúdo", "{}");
    assert.match(await page.locator(".producer.first .refusal").innerText(), /field_missing.*falta um campo obrigatório/);
    await page.reload();
    await page.waitForSelector("#share");
    assert.deepEqual(await state(), chosen);
    await page.getByRole("button", { name: "English" }).click();
    assert.match(await page.locator(".banner").innerText(), /They collide/);
  }));
