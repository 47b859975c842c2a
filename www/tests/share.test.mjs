// What one takes along: a link, files, and programs that run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { A, B, fill, inBrowser, keyOf, onPage, POLICY, settled, textOf, verdict } from "./browser.mjs";

inBrowser();

const SECRET = "insecure demo secret, not secret";

/** The fragment of the link that the page makes. */
async function linkOf(page) {
  await page.locator("[data-do=link]").click();
  await page.waitForFunction(() => location.hash.startsWith("#a="));
  return new URL(page.url()).hash;
}

const packed = (value) => `#a=${deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;

test("a link carries the policy and both payloads to another page, and no secret", () => {
  let link;
  let typed;
  const texts = async (page) => [await textOf(page, POLICY), await textOf(page, A), await textOf(page, B)];
  return onPage(async (page) => {
    await page.locator("[data-ready=order]").click();
    await settled(page);
    await fill(page, A, (await textOf(page, A)).replace("Becher, blau", "杯 <script>alert(1)</script> \\u0000 🙂"));
    await fill(page, POLICY, `${await textOf(page, POLICY)}\n# ours\n`);
    await page.locator(".producer.second input[name=tenant]").fill("südlicht");
    typed = await texts(page);
    link = await linkOf(page);
    assert.equal(await page.locator(".share input").inputValue(), page.url());
    const carried = inflateRawSync(Buffer.from(link.slice(3), "base64url")).toString();
    assert.deepEqual(JSON.parse(carried).slice(1, 2), typed.slice(0, 1));
    for (const text of [carried, link]) {
      for (const secret of [SECRET, Buffer.from(SECRET).toString("hex"), Buffer.from(SECRET).toString("base64url")]) assert.ok(!text.includes(secret));
    }
  }).then(() =>
    onPage(
      async (page) => {
        assert.deepEqual(await texts(page), typed);
        assert.equal(await page.locator(".producer.second input[name=tenant]").inputValue(), "südlicht");
        assert.equal(await verdict(page), "split: tenant");
        // A link that is followed within the page arrives as well.
        await page.evaluate((hash) => (location.hash = hash), packed(["json", "{}", ["t", "a", "1", "{}"], ["t", "a", "1", "{}"]]));
        await page.waitForFunction(() => document.querySelector(".banner").dataset.verdict === "policy");
      },
      { at: link },
    ),
  );
});

test("a hostile link is refused with a message, and the page works", async () => {
  const side = ["t", "a", "1", "{}"];
  for (const fragment of [
    "#a=",
    "#a=%%%",
    "#a=AAAA",
    "#<script>alert(1)</script>",
    "#a=<img src=x onerror=alert(1)>",
    `#a=${"A".repeat(250_000)}`,
    packed(""),
    packed("[".repeat(200_000)),
    packed(["toml", "x".repeat(4_000_000), side, side]),
    packed(["toml", 5, side, side]),
    packed(["html", "", side, side]),
    packed(["toml", "", side]),
    packed(["toml", "", side, [...side, "<b>"]]),
    packed(["toml", "", side, ["t", "a", 1, "{}"]]),
    packed({ __proto__: null, 0: "toml", length: 4 }),
  ]) {
    await onPage(
      async (page) => {
        assert.match(await page.getByRole("alert").innerText(), /nothing that the playground can read/, fragment.slice(0, 60));
        assert.equal(await verdict(page), "one");
        await page.getByRole("alert").getByRole("button").click();
        assert.equal(await page.getByRole("alert").count(), 0);
      },
      { at: fragment },
    );
  }
});

test("what no link can hold is not made into one that cannot be read", () =>
  onPage(async (page) => {
    await fill(page, A, "x".repeat(2_100_000));
    await page.locator("[data-do=link]").click();
    await page.getByText("Too much for a link").waitFor();
    assert.equal(new URL(page.url()).hash, "");
  }));

test("a link of tags and garbage shows them as text", () => {
  const tags = '<img src=x onerror="alert(1)"><script>alert(1)</script>';
  return onPage(
    async (page) => {
      assert.equal(await textOf(page, A), tags);
      assert.equal(await verdict(page), "policy");
      assert.equal(await page.locator("main script, main img").count(), 0);
    },
    { at: packed(["toml", tags, [tags, tags, tags, tags], [tags, tags, tags, tags]]) },
  );
});

test("the files, the command line and the program derive the page's keys", () =>
  onPage(async (page) => {
    for (const ready of ["pix", "order", "agent", "webhook"]) {
      await page.locator(`[data-ready=${ready}]`).click();
      await page.locator(".producer.second input[name=tenant]").fill(`tenant "${ready}" é`);
      await settled(page);
      const keys = [await keyOf(page, "first"), await keyOf(page, "second")];
      assert.notEqual(keys[0], keys[1]);
      const folder = mkdtempSync(join(tmpdir(), "playground-"));
      try {
        for (const name of ["policy.toml", "policy.json", "intents.jsonl", "derive.mjs"]) {
          const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-save="${name}"]`).click()]);
          await download.saveAs(join(folder, name));
        }
        const command = await page.locator("[data-program=command] code").textContent();
        const path = `${process.env.PLAYGROUND_COMMANDS}:${process.env.PATH}`;
        const printed = execFileSync("sh", ["-c", command], { cwd: folder, env: { ...process.env, PATH: path } }).toString();
        assert.deepEqual(printed.trim().split("\n").map((line) => JSON.parse(line).key), keys);

        assert.equal(await page.locator("[data-program=program] code").textContent(), readFileSync(join(folder, "derive.mjs"), "utf8"));
        cpSync(fileURLToPath(new URL("../node_modules/intentkey", import.meta.url)), join(folder, "node_modules/intentkey"), { recursive: true });
        const program = execFileSync("node", ["derive.mjs"], { cwd: folder }).toString();
        assert.deepEqual(program.trim().split("\n"), keys);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  }));
