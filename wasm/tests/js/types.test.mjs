// The types: a wrong name fails to compile, and what a run gives is what they say.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { attempt, Deriver, document, EPOCH, folder, intent, IntentKeyError, Policy, secret, toolsFolder } from "./package.mjs";

const project = mkdtempSync(join(tmpdir(), "intentkey-types-"));
process.on("exit", () => rmSync(project, { recursive: true }));
mkdirSync(join(project, "node_modules"));
symlinkSync(folder, join(project, "node_modules/intentkey"));
writeFileSync(join(project, "package.json"), '{ "type": "module" }');

function compile(...files) {
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "esnext", "--module", "nodenext", "--lib", "esnext,dom"];
  try {
    execFileSync(process.execPath, [join(toolsFolder, "node_modules/typescript/bin/tsc"), ...options, ...files], { cwd: project, encoding: "utf8" });
  } catch ({ stdout }) {
    assert.fail(stdout);
  }
}

test("what is documented compiles, and a wrong name does not", () => {
  for (const name of ["good.ts", "bad.ts"]) {
    copyFileSync(fileURLToPath(new URL(`../types/${name}`, import.meta.url)), join(project, name));
  }
  compile("good.ts", "bad.ts");
});

test("what a run gives has exactly the members of its type", () => {
  const deriver = new Deriver({ ...document, edge_seconds: 20 }, secret());
  const near = { ...intent({ note: "a", junk: 1 }), intentEpoch: EPOCH - (EPOCH % 900) };
  const bytes = (key, value) => (value instanceof Uint8Array ? "BYTES" : value);
  const given = {
    Derived: deriver.derive(near),
    DerivedKey: deriver.deriveKey(near),
    Explanation: deriver.explain(near),
    Handshake: new Deriver([{ fromEpoch: 0, policy: { ...document, key: { scope: "tenant" } } }], [{ id: "a", fromEpoch: 0, tenant: "acme", tenantSecret: secret() }]).handshake(),
    Material: new Policy({ ...document, edge_seconds: 20 }).material(near),
    Refusal: deriver.deriveBatch([intent({ b: 1 })])[0],
  };
  assert.ok(given.Refusal instanceof IntentKeyError);
  assert.equal(typeof attempt(() => deriver.derive(near)), "object");
  // An object literal with a member too many, or too few, does not compile.
  const lines = Object.entries(given).map(
    ([type, value]) => `({${JSON.stringify(value, bytes).slice(1, -1).replaceAll('"BYTES"', "new Uint8Array()")}}) satisfies T.${type};`,
  );
  writeFileSync(join(project, "run.ts"), ['import type * as T from "intentkey";', ...lines].join("\n"));
  compile("run.ts");
});
