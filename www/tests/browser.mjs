// A page of the built playground in Chromium, watched: what it logs, asks for and is refused.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "../build/serve.mjs";

/** Without these Chromium looks for its maker's hosts at every start. */
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
/** How long a step may take, in milliseconds, on a busy machine. */
const PATIENCE = 30_000;

/** Where the page was built to, and where what is kept of a run goes. */
export const SITE = process.env.PLAYGROUND_SITE;
export const ARTIFACTS = process.env.PLAYGROUND_ARTIFACTS;

let browser;
let served;

/** Starts the browser and the server for a file of tests. */
export function inBrowser() {
  before(async () => {
    mkdirSync(join(ARTIFACTS, "screenshots"), { recursive: true });
    served = await serve(SITE);
    browser = await chromium.launch({ executablePath: process.env.INTENTKEY_CHROMIUM, args: FLAGS });
  });
  after(async () => {
    await browser?.close();
    served?.server.close();
  });
}

/**
 * Opens the page, gives it to `use`, and then refuses what no visitor may ever meet: an error on the
 * console, an exception, a violation of the policy, a request that leaves the page's origin. A page
 * that is attacked on purpose may complain; one whose line is cut gets no module.
 */
export async function onPage(use, { at = "", site = served.address, isAttacked = false, isCut = false, ...options } = {}) {
  const context = await browser.newContext({ reducedMotion: "reduce", viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => console.error(`refused by the policy: ${violatedDirective} ${blockedURI}`));
  });
  const wrong = [];
  const page = await context.newPage();
  if (isCut) await page.route("**/*.wasm", (route) => route.abort());
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.stack));
  page.on("dialog", (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site) && !url.startsWith("blob:")) wrong.push(`a request left the page: ${url}`);
  });
  try {
    await page.goto(site + at);
    await page.waitForSelector(isCut ? "#page [role=alert]" : "#share");
    await use(page);
    if (!isAttacked && !isCut) assert.deepEqual(wrong, []);
  } finally {
    await context.close();
  }
}

/** Puts a text into an editor, as pasting does, in place of what is there. */
export async function fill(page, label, text) {
  const editor = page.getByRole("textbox", { name: label, exact: false });
  await editor.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  await settled(page);
}

/** The whole text of an editor, also what is scrolled out of view. */
export async function textOf(page, label) {
  return page.getByRole("textbox", { name: label }).evaluate((content) => content.cmTile.root.view.state.doc.toString());
}

/** Waits until the page has looked at what was typed. */
export async function settled(page) {
  await page.waitForTimeout(250);
}

export const A = "Producer A: payload";
export const B = "Producer B: payload";
export const POLICY = /^(Policy|Política) \(/;

/** What the page says of the two. */
export async function verdict(page) {
  const { verdict: is, split } = await page.locator(".banner").evaluate(({ dataset }) => ({ ...dataset }));
  return split === "" ? is : `${is}: ${split}`;
}

/** A producer's key; undefined where it has none. */
export async function keyOf(page, place) {
  const key = page.locator(`.keys[data-of=${place}] [data-value=key]`);
  return (await key.count()) === 0 ? undefined : key.textContent();
}

/** A producer's refusal, as code and field; undefined where it has none. */
export async function refusalOf(page, place) {
  const card = page.locator(`.producer.${place} .refusal`);
  if ((await card.locator("code").count()) === 0) return undefined;
  const field = card.locator("b");
  return { code: await card.locator("code").textContent(), field: (await field.count()) === 0 ? undefined : (await field.textContent()).trim() };
}

/** Presses a producer's button. */
export async function press(page, place, name) {
  await page.locator(`.producer.${place} [data-do=${name}]`).click();
  await settled(page);
}
