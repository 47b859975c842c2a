// What a derivation costs in Node beside JavaScript written by hand: ratios in one run.
//
//   node wasm/bench/derive.mjs [folder of the built package [--once]]
//
// 10,000 payloads in rotation, nothing cached; the median of many rounds, taken in turns so that
// a slow moment of the machine meets all alike.

import { createHmac, createSecretKey } from "node:crypto";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { handWritten } from "./hand-written.mjs";

const PAYLOADS = 10_000;
/** `--once`: to see that it runs. */
const ROUNDS = process.argv.includes("--once") ? 1 : 31;

const folder = resolve(process.argv[2] ?? "target/pack/npm");
const { Deriver } = await import(pathToFileURL(`${folder}/node.js`));

const secret = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
const deriver = new Deriver(
  {
    name: "pix-payment",
    actions: ["pix.transfer"],
    bucket_seconds: 900,
    key: { length: 40 },
    identity: {
      creditor_key: { rule: "pix_key" },
      amount: { rule: "decimal", scale: "currency" },
      currency: { rule: "currency" },
      remittance: { rule: "text", required: false, empty: "absent" },
    },
    ignored: { request_id: "new on every attempt", device: "presentation" },
  },
  secret,
);

const intents = Array.from({ length: PAYLOADS }, (_, index) => ({
  tenant: "acme",
  action: "pix.transfer",
  intentEpoch: 1_767_225_600 + index,
  payload: {
    creditor_key: index % 2 ? `Cliente${index}@exemplo.com.br` : "123.456.789-09",
    amount: index % 3 ? (index * 7) / 100 : `${index}.5`,
    currency: index % 2 ? "BRL" : "brl",
    remittance: index % 5 ? `Pedido ${index} loja centro` : `Cobrança nº ${index}`,
    request_id: `r-${index}`,
    device: "ios",
  },
}));
const texts = intents.map((intent) => ({ ...intent, payload: JSON.stringify(intent.payload) }));
const nodeKey = createSecretKey(secret);
const byHand = handWritten(nodeKey);

const materials = intents.map((intent) => deriver.explain(intent).material);
for (const [index, intent] of intents.entries()) {
  const { key } = deriver.deriveKey(intent);
  const expected = byHand(intent);
  if (key !== expected) throw new Error(`payload ${index}: ${key}, by hand ${expected}`);
}

let sink = 0;
const contenders = {
  "written by hand, with node:crypto": () => {
    for (const intent of intents) sink += byHand(intent).length;
  },
  "deriveKey(object)": () => {
    for (const intent of intents) sink += deriver.deriveKey(intent).key.length;
  },
  "derive(object)": () => {
    for (const intent of intents) sink += deriver.derive(intent).key.length;
  },
  "deriveJson(text)": () => {
    for (const intent of texts) sink += deriver.deriveJson(intent).key.length;
  },
  "deriveBatch, keys alone": () => {
    sink += deriver.deriveBatch(intents, { fingerprints: false }).length;
  },
  "node:crypto's HMAC of the material alone": () => {
    for (const material of materials) {
      sink += createHmac("sha256", nodeKey).update(material).digest("hex").length;
    }
  },
};

const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of Object.entries(contenders)) {
    const start = process.hrtime.bigint();
    run();
    times[name].push(Number(process.hrtime.bigint() - start) / PAYLOADS / 1000);
  }
}

const median = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];
const base = median(times["written by hand, with node:crypto"]);
console.log(`${"Node ".concat(process.version).padEnd(44)}    µs  ratio`);
for (const [name, values] of Object.entries(times)) {
  const time = median(values);
  console.log(`${name.padEnd(44)} ${time.toFixed(2).padStart(5)} ${(time / base).toFixed(2).padStart(6)}`);
}
if (sink === 0) throw new Error("nothing was derived");
