// The same key for the same four fields, in JavaScript written by hand: what a team would write
// without this package, and what it has to beat. It takes what the benchmark's payloads hold and
// refuses little of what the package refuses.

import { createHmac } from "node:crypto";

const DIGITS = /^[0-9.\-/]+$/;
const EMAIL = /^[\x21-\x7e]+@[\x21-\x7e]+$/;
const DECIMAL = /^[+-]?[0-9]+(\.[0-9]*)?$/;
const CURRENCIES = new Map([["BRL", 2], ["USD", 2], ["EUR", 2], ["JPY", 0]]);

/** A function from an intent to its key. */
export function handWritten(secret) {
  return ({ tenant, action, intentEpoch, payload }) => {
    const currency = payload.currency.trim().toUpperCase();
    const scale = CURRENCIES.get(currency);
    if (scale === undefined) throw new Error("currency");
    const body = {
      amount: amount(payload.amount, scale),
      creditor_key: creditorKey(payload.creditor_key),
      currency,
      remittance: payload.remittance.normalize("NFD").toLowerCase().normalize("NFC").trim(),
    };
    const material = JSON.stringify([tenant, action, body, Math.floor(intentEpoch / 900)]);
    return createHmac("sha256", secret).update(material).digest("hex").slice(0, 40);
  };
}

function creditorKey(text) {
  const key = text.trim();
  if (DIGITS.test(key)) return key.replace(/[.\-/]/g, "");
  if (!EMAIL.test(key)) throw new Error("creditor_key");
  return key.toLowerCase();
}

function amount(value, scale) {
  const text = typeof value === "number" ? String(value) : value.trim();
  if (!DECIMAL.test(text)) throw new Error("amount");
  const [whole, fraction = ""] = text.split(".");
  if (fraction.length > scale) throw new Error("this much rounding is left to the package");
  return scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, "0")}`;
}
