import type { Pair } from "./pair";

/** One Pix payment, as an app sends it and as a queue does. */
export const PIX: Pair = {
  first: {
    tenant: "loja-aurora",
    action: "pix.transfer",
    epoch: "1796040300",
    payload: `{
  "creditor_key": "714.602.380-01",
  "amount": 150.00,
  "currency": "BRL",
  "remittance": "Almoço de sexta",
  "debtor_account": "0001 123456-7",
  "request_id": "b7d1f0a2",
  "attempt": 1,
  "user_agent": "aurora-app/8.2"
}`,
  },
  second: {
    tenant: "loja-aurora",
    action: "pix.transfer",
    epoch: "1796040300",
    payload: `{
  "request_id": "4e90c3d8",
  "attempt": 3,
  "created_at": "2026-11-30T18:05:31Z",
  "currency": "brl",
  "remittance": "  ALMOC\\u0327O DE SEXTA",
  "creditor_key": "71460238001",
  "amount": "1.5e2",
  "debtor_account": "0001.123456-7"
}`,
  },
};
