// What one takes along: the files, and the programs that derive from them.

import { epochOf, type Producer } from "../engine/engine";
import { INSECURE_DEMO_SECRET_HEX } from "../engine/demo-secret";
import { converted } from "../policy/convert";
import type { Typed } from "../state";

/** A file to save. */
export interface File {
  readonly name: string;
  readonly text: string;
}

/** The files that the programs below read. */
export function files({ policy, first, second }: Typed): File[] {
  const json = converted(policy, "json");
  return [
    { name: "policy.toml", text: converted(policy, "toml") },
    { name: "policy.json", text: json.endsWith("\n") ? json : `${json}\n` },
    { name: "intents.jsonl", text: `${lineOf(first)}\n${lineOf(second)}\n` },
    { name: "derive.mjs", text: program() },
  ];
}

/** An intent in one line, its payload's literals as they were typed. */
function lineOf({ tenant, action, epoch, payload }: Producer): string {
  const number = epochOf(epoch);
  // In JSON a line break is only ever between values.
  const inLine = payload.trim().replace(/\s*\n\s*/g, " ");
  return `{"tenant":${JSON.stringify(tenant)},"action":${JSON.stringify(action)},"intent_epoch":${Number.isFinite(number) ? number : "null"},"payload":${inLine}}`;
}

/** The command that derives the same keys, in the folder with the files. */
export function command(): string {
  return `INTENTKEY_SECRET=${INSECURE_DEMO_SECRET_HEX} intentkey derive --policy policy.toml < intents.jsonl`;
}

/** The same with the JavaScript package. */
export function program(): string {
  return `// npm install intentkey (from a clone: npm install target/pack/npm), then: node derive.mjs
import { readFileSync } from "node:fs";
import { Deriver } from "intentkey";

// The playground's demo secret, which everybody knows. Yours: head -c 32 /dev/urandom > my.secret
const secret = Buffer.from("${INSECURE_DEMO_SECRET_HEX}", "hex");
const deriver = new Deriver(readFileSync("policy.json", "utf8"), secret);
for (const line of readFileSync("intents.jsonl", "utf8").trim().split("\\n")) {
  console.log(deriver.deriveJson(line).key);
}
`;
}
