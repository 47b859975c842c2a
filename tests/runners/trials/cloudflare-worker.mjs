// The worker in two isolates, before a provider that counts keys.

import assert from "node:assert/strict";
import { Response } from "miniflare";
import { startWorker } from "../workers.mjs";
import { attempts, DECIDED_AT, keyOf, master, other } from "./payment.mjs";

const received = [];
const options = {
  bindings: {
    INTENTKEY_SECRET: master.toString("base64"),
    PROVIDER: "https://provider.example",
    TENANTS: { "Bearer ana": "ana", "Bearer rui": "rui" },
  },
  async outboundService(request) {
    received.push(request.headers.get("Idempotency-Key"));
    return Response.json({ paid: true }, { status: 201 });
  },
};
const cities = await Promise.all([1, 2].map(() => startWorker("./examples/cloudflare-worker/worker.js", options)));

async function pay(worker, payment, bearer = "ana") {
  const response = await worker.dispatchFetch("http://worker/", {
    method: "POST",
    headers: { Authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ decided_at: DECIDED_AT, payment }),
  });
  return { status: response.status, body: response.status === 401 ? {} : await response.json() };
}

try {
  for (const [index, payment] of attempts.entries()) {
    for (const worker of cities) assert.deepEqual(await pay(worker, payment), { status: 201, body: { paid: true } }, index);
  }
  assert.deepEqual([...new Set(received)], [keyOf(attempts[0])]);
  await pay(cities[0], other);
  await pay(cities[0], attempts[0], "rui");
  assert.equal(new Set(received).size, 3, "another amount and another tenant are other payments");

  const before = received.length;
  const refused = await pay(cities[1], { ...attempts[0], colour: "red" });
  assert.equal(refused.status, 422);
  assert.deepEqual([refused.body.code, refused.body.fields], ["field_unclassified", ["colour"]]);
  assert.equal((await pay(cities[1], attempts[0], "nobody")).status, 401);
  assert.equal(received.length, before, "nothing was sent without a key");
} finally {
  await Promise.all(cities.map((worker) => worker.dispose()));
}
console.log(keyOf(attempts[0]));
