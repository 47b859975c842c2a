// The pictures of time: how many keys, how many charges, and when two clocks meet.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser, onPage } from "./browser.mjs";

inBrowser();

/** Moves a slider to its first stop and from there, by the keyboard. */
async function slide(page, id, steps) {
  await page.locator(`#${id}`).focus();
  await page.keyboard.press("Home");
  for (let step = 0; step < steps; step++) await page.keyboard.press("ArrowRight");
}

const shown = (page, lane) => page.locator(`.lane.${lane} .count`).evaluate(({ dataset, innerText }) => ({ keys: Number(dataset.keys), charges: Number(dataset.charges), text: innerText.replace(/\s+/g, " ").trim() }));

test("six hours cross 24 buckets of 15 minutes: 25 keys, or one", () =>
  onPage(async (page) => {
    assert.deepEqual(await shown(page, "attempt"), { keys: 25, charges: 25, text: "25 keys charged 25 times" });
    assert.deepEqual(await shown(page, "frozen"), { keys: 1, charges: 1, text: "1 key charged once" });
    assert.match(await page.locator(".story").innerText(), /crosses 24 buckets of 15 min/);
    assert.equal(await page.locator(".lane.attempt .coin").count(), 25);
    assert.equal(await page.locator(".lane.frozen .coin").count(), 1);
    assert.equal(await page.locator(".lane.attempt .key-band").count(), 25);
  }));

test("the sliders of delay and bucket move both", () =>
  onPage(async (page) => {
    // 12:05 to 18:05 by the hour: seven hours are touched.
    await slide(page, "bucket", 5);
    assert.equal(await page.locator("output[for=bucket]").innerText(), "1 h");
    assert.equal((await shown(page, "attempt")).charges, 7);
    // A quarter of an hour from 12:05 on: two quarters are touched, and one hour.
    await slide(page, "delay", 0);
    assert.equal((await shown(page, "attempt")).charges, 1);
    await slide(page, "bucket", 3);
    assert.equal((await shown(page, "attempt")).charges, 2);
    // A delivery every 20 minutes for a day: none shares a quarter with another.
    await slide(page, "delay", 9);
    assert.equal((await shown(page, "attempt")).charges, 73);
    assert.equal((await shown(page, "frozen")).charges, 1);
  }));

test("skew splits near a bucket's end, and the edge key joins", () =>
  onPage(async (page) => {
    const line = page.locator(".verdict-line");
    const counted = () => line.evaluate(({ dataset }) => [Number(dataset.split), Number(dataset.joined)]);
    assert.deepEqual(await counted(), [8, 0]);
    await slide(page, "edge", 2);
    assert.equal(await page.locator("output[for=edge]").innerText(), "10 s");
    assert.deepEqual(await counted(), [0, 8]);
    // 15 s of skew, 10 s of protection: B is within 10 s after the end only while A is 6 to 10 s before it.
    await slide(page, "skew", 15);
    assert.deepEqual(await counted(), [10, 5]);
    await slide(page, "skew", 30);
    assert.deepEqual(await counted(), [30, 0]);
    assert.match(await line.innerText(), /30 s of every 15 min/);
    await slide(page, "skew", 0);
    assert.deepEqual(await counted(), [0, 0]);
  }));

test("the picture plays by itself, pauses, and plays again", () =>
  onPage(
    async (page) => {
      const charged = async () => Number(/\d+ times|once/.exec(await page.locator(".lane.attempt strong").innerText())[0].replace("once", "1").replace(" times", ""));
      const button = page.locator(".story button");
      assert.equal(await button.innerText(), "Pause");
      await button.click();
      const some = await charged();
      assert.ok(some < 25, `${some} charges so far`);
      await page.waitForTimeout(400);
      assert.equal(await charged(), some, "it rests");
      await button.click();
      await page.getByRole("button", { name: "Play again" }).waitFor();
      assert.equal(await charged(), 25);
    },
    { reducedMotion: "no-preference" },
  ));

test("the picture is of producer A's payment under the policy, or says that it is not", () =>
  onPage(async (page) => {
    const digits = () => page.locator(".lane.frozen .key-digits").textContent();
    const key = page.locator(".keys[data-of=first] [data-value=key]");
    assert.ok((await key.textContent()).startsWith(await digits()));
    await page.locator(".producer.first input[name=tenant]").fill("loja-boreal");
    assert.ok((await key.textContent()).startsWith(await digits()));
    const before = await digits();
    await page.locator(".producer.first input[name=tenant]").fill("");
    assert.notEqual(await digits(), before);
    assert.match(await page.locator("#time .note").innerText(), /no key of its own/);
  }));
