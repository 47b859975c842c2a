// A Cloudflare worker in front of a payment provider: it adds the Idempotency-Key.
//
// The worker stores nothing. It derives the key from the fields that make the payment what it is,
// so a second click, a retry by the network and a copy of the worker in another city all send the
// same key, and the provider pays once.

import { Deriver, IntentKeyError } from "intentkey";
// Which fields these are, and how each is spelled canonically, is declared here and only here.
import policy from "../payment.policy.json";

// Made once an isolate. The secret comes from `wrangler secret put INTENTKEY_SECRET` (base64).
let deriver;
const deriverOf = (env) =>
  (deriver ??= new Deriver(policy, Uint8Array.from(atob(env.INTENTKEY_SECRET), (c) => c.charCodeAt(0))));

// Whose payment it is comes from authentication, never from the body.
const tenantOf = (request, env) => env.TENANTS[request.headers.get("Authorization")];

export default {
  async fetch(request, env) {
    const tenant = tenantOf(request, env);
    if (tenant === undefined) return new Response("who is this?", { status: 401 });
    // decided_at: the second at which somebody pressed "pay". The caller keeps it with the order
    // and sends the same one again with every retry; the clock of this attempt plays no part.
    const { decided_at, payment } = await request.json();
    try {
      const intent = { tenant, action: "payment.create", intentEpoch: decided_at, payload: payment };
      const { key } = deriverOf(env).deriveKey(intent);
      return await fetch(`${env.PROVIDER}/payments`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": key },
        body: JSON.stringify(payment),
      });
    } catch (error) {
      if (!(error instanceof IntentKeyError)) throw error;
      // Says what is wrong and where, and holds no value of the payment: safe to send and to log.
      return Response.json(error, { status: 422 });
    }
  },
};
