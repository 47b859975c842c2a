// The agent, with a model that writes down all that it is shown.

import assert from "node:assert/strict";
import { Deriver } from "intentkey";
import { policy, runTurn, tools } from "../examples/agent-tool-call/orchestrator.js";
import { master } from "./payment.mjs";

const deriver = new Deriver(policy, master);
const turn = { id: "turn-17", tenant: "shop", startedAt: 1_767_225_700, question: "Please refund half of my order A-7." };
const shown = [];
const acted = [];

/** A model that says these one after another. */
const model = (...answers) => async (given) => {
  shown.push(JSON.stringify(given));
  return answers.shift();
};
const call = (refund, name = "create_refund") => ({ call: { name, arguments: JSON.stringify(refund) } });
const done = { text: "Done." };
const services = (answers) => ({
  deriver,
  model: model(...answers),
  act: async (key, refund) => (acted.push({ key, refund }), { status: "refunded", key }),
  mayRefund: (_, { amount }) => Number(amount) <= 100,
});

const refund = { order: "A-7", amount: "12.50", recipient: "ana@example.com", reason: "damaged" };
assert.equal(await runTurn(turn, services([call(refund), done])), "Done.");
// The turn again, after a crash: the model proposes the same in other words.
const again = { recipient: " ANA@Example.com", amount: "12.5", order: "A-7", reason: "arrived broken" };
await runTurn(turn, services([call(again), done]));
assert.equal(acted.length, 2);
assert.equal(acted[0].key, acted[1].key, "the same action, the same key");

await runTurn({ ...turn, id: "turn-18" }, services([call(refund), done]));
assert.notEqual(acted[2].key, acted[0].key, "asked for again later, it is another refund");

// What the model makes up is refused, and nothing is done.
const made = [
  call({ ...refund, idempotency_key: "00000000-0000-4000-8000-000000000000" }),
  call({ ...refund, amount: "12.505" }),
  call({ ...refund, amount: "100000" }),
  call(refund, "delete_everything"),
  { call: { name: "create_refund", arguments: "{" } },
];
await runTurn(turn, services([...made, done]));
assert.equal(acted.length, 3);
const results = JSON.parse(shown.at(-1)).messages.filter(({ role }) => role === "tool").map(({ content }) => content.refused);
assert.deepEqual(results, ["field_unclassified", "decimal_inexact", "not allowed", "no such tool", "the arguments are no JSON"]);

// No key, and no mention of one, in any schema, prompt or tool result. (The one that the model made
// up is its own.)
const seen = shown.join("\n").replaceAll("idempotency_key", "");
for (const { key } of acted) assert.ok(!seen.includes(key));
assert.ok(!/idempoten/i.test(seen));
assert.ok(!/key/i.test(JSON.stringify(tools)));
console.log(acted[0].key);
