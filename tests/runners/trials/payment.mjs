// What the trials of the examples share: a secret that protects nothing, and the key that the
// payment of the examples has.

import { readFileSync } from "node:fs";
import { createHmac } from "node:crypto";
import { Deriver } from "intentkey";

export const policy = JSON.parse(readFileSync(new URL("../examples/payment.policy.json", import.meta.url)));
export const master = Buffer.from(process.env.INTENTKEY_SECRET, "hex");
export const DECIDED_AT = 1_767_225_700;

/** One payment in the spellings of three attempts, and another one. */
export const attempts = [
  { creditor_key: "529.982.247-25", amount: "10.50", currency: "BRL", request_id: "a1" },
  { request_id: "b2", currency: " brl", amount: 10.5, creditor_key: "52998224725", attempt: 2 },
  { amount: "1050e-2", creditor_key: "529982247-25", currency: "BRL", remittance: " " },
];
export const other = { creditor_key: "529.982.247-25", amount: "10.51", currency: "BRL" };

export const deriver = () => new Deriver(policy, master);

export const keyOf = (payment, tenant = "ana") =>
  deriver().deriveKey({ tenant, action: "payment.create", intentEpoch: DECIDED_AT, payload: payment }).key;

export const tenantSecret = (tenant) => createHmac("sha256", master).update(`intentkey tenant v1\0${tenant}`).digest();
