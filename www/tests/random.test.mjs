// Random edits of policies and payloads. What the page makes of each is written down, for the command
// to be held against: `tests/playground.rs` does that.

import assert from "node:assert/strict";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ARTIFACTS, fill, inBrowser, keyOf, onPage, POLICY, press, refusalOf, settled, textOf } from "./browser.mjs";

inBrowser();

const SEED = Number(process.env.PLAYGROUND_SEED ?? Date.now() % 2 ** 32);
/** How many edits. */
const EDITS = Number(process.env.PLAYGROUND_EDITS ?? 60);

/** A sequence of numbers from 0 to 1 (mulberry32). */
function sequence(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = sequence(SEED);
const below = (count) => Math.floor(random() * count);
const pick = (list) => list[below(list.length)];

/** Literals for a value: hard spellings, other kinds, what is refused. */
const LITERALS = [
  '"150,00"', "0.5e-3", "-0", "1e400", "9007199254740993", "12345678901234567890123456789", "0.005", "2.675", "1e2", '"1e28"', '"٣"', "true",
  "false", "null", "[]", "{}", "[1, 2]", '{"a": {"b": null}}', '""', '"   "', '"ẞtraße ΐ"', '"Ǆ ﬁ \\u0345"', '"\\ud83d\\ude00"', '"\\udc00"',
  '"a\\u0000b\\u001f"', '"\\u2028"', '"BRL"', '"jpy"', '"xyz"', '"+55 (11) 91234-5678"', '"ana@EXAMPLE.com"', '"A@b@c"', '"52998224725"',
  '"529.982.247-25"', '"11111111111"', '"2026-02-29"', '"2026-11-30T23:59:60Z"', '"2026-11-30T12:00:00+01:00"', '"0"', '"Express"', '"STRIPE"',
];
const NAMES = ["amount", "currency", "remittance", "new", "__proto__", "constructor", "a.b", "items", "to", "x[0]", "ünï"];

/** A payload with one change. */
function changed(text) {
  const members = [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g)];
  const member = pick(members);
  if (member === undefined) return text;
  const [whole, name, literal] = member;
  const put = (by) => text.slice(0, member.index) + by + text.slice(member.index + whole.length);
  switch (below(6)) {
    case 0:
      return put(`${JSON.stringify(pick(NAMES))}: ${literal}`);
    case 1:
      return put(`${whole}, "${name}": ${pick(LITERALS)}`);
    case 2:
      return put(`${whole}, ${JSON.stringify(pick(NAMES))}: ${pick(LITERALS)}`);
    default:
      return put(`"${name}": ${pick(LITERALS)}`);
  }
}

/** A policy's TOML with one change, which may be refused. */
function changedPolicy(text) {
  return pick([
    () => text.replace(/^bucket_seconds = \d+/m, `bucket_seconds = ${pick([0, 60, 900, 3600, 86400])}`),
    () => text.replace(/^edge_seconds = \d+/m, `edge_seconds = ${pick([0, 1, 30, 450, 100000])}`),
    () => text.replace(/^format = "\w+"/m, `format = "${pick(["hex", "base64url", "uuid", "uuid4", "base32"])}"`),
    () => text.replace(/^length = \d+/m, `length = ${pick([10, 32, 40, 43, 64])}`),
    () => text.replace(/rule = "(\w+)"/g, (rule) => (below(4) === 0 ? `rule = "${pick(["exact", "text", "digits", "decimal", "identifier", "email", "integer", "nonsense"])}"` : rule)),
    () => text.replace(/required = false/g, (all) => (below(2) === 0 ? "required = true" : all)),
    () => text.replace(/^scope = "tenant"/m, `scope = "${pick(["all", "tenant", "none"])}"`),
    () => text.replace(/^\[checked\]/m, "[identity]"),
    () => text.replace(/^\[ignored\]$/m, "[ignored]\n\"new\" = \"not here\""),
    () => `${text}\n[broken\n`,
  ])();
}

test(`${EDITS} random edits, seed ${SEED}`, () =>
  onPage(async (page) => {
    const log = createWriteStream(join(ARTIFACTS, "random.jsonl"));
    let derived = 0;
    let refused = 0;
    const start = async () => {
      await page.locator(`[data-ready=${pick(["pix", "order", "agent", "webhook"])}]`).click();
      await settled(page);
    };
    const note = async () => {
      const policy = await textOf(page, POLICY);
      const line = page.locator("#policy [data-line]");
      if ((await page.locator(".banner").getAttribute("data-verdict")) === "policy") {
        const at = (await line.count()) === 0 ? null : Number(/\d+/.exec(await line.textContent())[0]);
        const isPlaced = (await page.locator("#policy .refusal b:not([data-line])").count()) > 0;
        log.write(`${JSON.stringify({ policy, line: at, isPlaced })}\n`);
        return;
      }
      for (const place of ["first", "second"]) {
        const input = (name) => page.locator(`.producer.${place} input[name=${name}]`).inputValue();
        const intent = { tenant: await input("tenant"), action: await input("action"), intent_epoch: Number(await input("epoch")) };
        const payload = await textOf(page, place === "first" ? "Producer A: payload" : "Producer B: payload");
        const refusal = await refusalOf(page, place);
        const fingerprint = page.locator(`.keys[data-of=${place}] [data-value=fingerprint]`);
        const edge = page.locator(`.keys[data-of=${place}] [data-value=edge]`);
        const outcome = refusal ?? {
          key: await keyOf(page, place),
          fingerprint: await fingerprint.textContent(),
          ...((await edge.count()) > 0 && { edge: await edge.textContent() }),
        };
        if (refusal === undefined) derived++;
        else refused++;
        log.write(`${JSON.stringify({ policy, intent, payload, outcome })}\n`);
      }
    };
    await start();
    for (let edit = 0; edit < EDITS; edit++) {
      const place = pick(["first", "second"]);
      const label = place === "first" ? "Producer A: payload" : "Producer B: payload";
      const input = (name) => page.locator(`.producer.${place} input[name=${name}]`);
      const kind = below(10);
      if (kind < 5) await fill(page, label, changed(await textOf(page, label)));
      else if (kind < 7) await fill(page, POLICY, changedPolicy(await textOf(page, POLICY)));
      else if (kind === 7) await press(page, place, pick(["respell", "reorder", "retry", "clock", "reset"]));
      else if (kind === 8) await input(pick(["tenant", "action"])).fill(pick(["acme", "ünï \"x\"", "", "pix.refund", "mail.send"]));
      else await input("epoch").fill(String(pick([0, 1, 899, 900, 1796040895, 1796040905, 99_999_999_999, 100_000_000_000])));
      await settled(page);
      await note();
      if (edit % 6 === 5) await start();
    }
    await new Promise((ended) => log.end(ended));
    assert.ok(derived >= EDITS / 10 && refused >= EDITS / 10, `${derived} derived, ${refused} refused`);
  }));
