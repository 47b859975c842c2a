// The package as a folder: what is in it, and a bundle that has lost the module.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { deriver, document, folder, intent, toolsFolder } from "./package.mjs";

const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

test("every file that the manifest names is there", () => {
  const named = [manifest.types, manifest.main, ...Object.values(manifest.exports).flatMap((entry) => (typeof entry === "string" ? entry : Object.values(entry)))];
  for (const file of named) assert.ok(existsSync(join(folder, file)), file);
  for (const file of ["README.md", "LICENSE-APACHE", "LICENSE-MIT", "NOTICE"]) assert.ok(readdirSync(folder).includes(file), file);
  assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
});

test("the module imports nothing that knows a clock or draws randomness", () => {
  const module = new WebAssembly.Module(readFileSync(join(folder, "intentkey.wasm")));
  const imported = WebAssembly.Module.imports(module).map(({ name }) => name.replace(/_[0-9a-f]{16}$/, ""));
  assert.deepEqual(imported.sort(), ["__wbg___wbindgen_throw", "__wbindgen_init_externref_table"]);
});

test("no file holds a folder of the machine that built it", () => {
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), "latin1");
    assert.equal(/\/(home|root|Users|tmp|work)\//.test(text), false, file);
  }
});

test("a bundle without the module falls back to the copy in it", () => {
  const project = mkdtempSync(join(tmpdir(), "intentkey-bundle-"));
  try {
    mkdirSync(join(project, "node_modules"));
    symlinkSync(folder, join(project, "node_modules/intentkey"));
    writeFileSync(join(project, "app.mjs"), `
      import { init, Deriver } from "intentkey";
      await init();
      const deriver = new Deriver(${JSON.stringify(document)}, Uint8Array.from({ length: 32 }, (_, index) => index + 1));
      console.log(deriver.deriveKey(${JSON.stringify(intent({ note: "a" }))}).key);`);
    const { key } = deriver.deriveKey(intent({ note: "a" }));
    for (const platform of ["browser", "node"]) {
      const bundle = join(project, `${platform}.mjs`);
      execFileSync(join(toolsFolder, "node_modules/.bin/esbuild"), ["app.mjs", "--bundle", "--format=esm", `--platform=${platform}`, `--outfile=${bundle}`, "--log-level=error"], { cwd: project });
      assert.equal(execFileSync(process.execPath, [bundle], { encoding: "utf8" }).trim(), key);
    }
  } finally {
    rmSync(project, { recursive: true });
  }
});
