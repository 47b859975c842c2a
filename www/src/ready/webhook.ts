import type { Pair } from "./pair";

/** An event of a provider, and its ninth delivery three days later. */
export const WEBHOOK: Pair = {
  first: {
    tenant: "loja-aurora",
    action: "webhook.handle",
    epoch: "1796040061",
    payload: `{
  "provider": "stripe",
  "account": "acct_1Qx7",
  "event_id": "evt_3SbT9kLm20",
  "type": "charge.succeeded",
  "object_id": "ch_3SbT9k",
  "livemode": true,
  "created": "2026-11-30T12:01:00Z",
  "data": { "object": { "amount": 4990 } },
  "delivery_id": "d-1",
  "attempt": 1
}`,
  },
  second: {
    tenant: "loja-aurora",
    action: "webhook.handle",
    epoch: "1796299265",
    payload: `{
  "created": "2026-11-30T09:01:00-03:00",
  "livemode": true,
  "object_id": "ch_3SbT9k",
  "type": "charge.succeeded",
  "event_id": "evt_3SbT9kLm20",
  "account": "acct_1Qx7",
  "provider": "stripe",
  "data": { "object": { "amount": 4990, "note": "added since" } },
  "delivery_id": "d-9",
  "attempt": 9
}`,
  },
};
