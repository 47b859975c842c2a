// The queue handler, with a queue that delivers again and a provider that pays once a key.

import assert from "node:assert/strict";
import { paymentHandler } from "../examples/node-queue/handler.js";
import { attempts, DECIDED_AT, deriver, keyOf, other } from "./payment.mjs";

const message = (id, payment) => ({ id, body: JSON.stringify({ tenant: "ana", decidedAt: DECIDED_AT, payment }) });

const paid = new Map();
const calls = [];
let failures = 2;
const provider = {
  async charge(key, payment) {
    calls.push(key);
    if (!paid.has(key)) paid.set(key, payment);
    // The charge is made, and its answer is lost.
    if (failures-- > 0) throw new Error("connection reset");
  },
};
const deadLetters = [];

/** Delivers until the handler does not throw, each time to another machine. */
async function deliver(one) {
  for (;;) {
    const handle = paymentHandler(deriver(), provider, deadLetters);
    try {
      return await handle(one);
    } catch (error) {
      assert.equal(error.message, "connection reset");
    }
  }
}

await deliver(message("1", attempts[0]));
assert.equal(calls.length, 3);
assert.deepEqual([...paid.keys()], [keyOf(attempts[0])], "three deliveries, one payment");
await deliver(message("1 again, from the producer", attempts[1]));
assert.equal(paid.size, 1);
await deliver(message("2", other));
assert.equal(paid.size, 2);
await deliver(message("3", { ...other, amount: "ten" }));
assert.equal(paid.size, 2);
assert.deepEqual(deadLetters.map(({ id, why }) => [id, why.code, why.field]), [["3", "decimal_malformed", "amount"]]);
assert.ok(!JSON.stringify(deadLetters).includes("ten\""), "no value of the payload in what is logged");
console.log(keyOf(attempts[0]));
