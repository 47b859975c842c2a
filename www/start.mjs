// Builds the playground and serves it: `npm --prefix www start`, in a clone with Rust and Node on the
// machine. `-- --port 4173` picks the port, `-- --build` builds and leaves it at that.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { run } from "./build/run.mjs";
import { serve } from "./build/serve.mjs";

const { values } = parseArgs({ options: { port: { type: "string", default: "4173" }, build: { type: "boolean" } } });
const root = fileURLToPath(new URL("..", import.meta.url));
const metadata = execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps"], { cwd: root, maxBuffer: 1 << 28 });
const target = JSON.parse(metadata).target_directory;
const site = join(target, "playground/site");

run("cargo", ["pack"], root);
run("node", ["www/build.mjs", join(target, "pack/npm"), site], root);
console.log(`\nThe page is in ${site}: any static host serves it as it is.`);
if (!values.build) {
  const { address } = await serve(site, Number(values.port));
  console.log(`Open ${address}`);
}
