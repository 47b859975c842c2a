import type { Pair } from "./pair";

/** A cart, as the page sends it and as the server does. */
export const ORDER: Pair = {
  first: {
    tenant: "nordlicht",
    action: "order.place",
    epoch: "1796040240",
    payload: `{
  "customer": { "id": "C-20711" },
  "currency": "EUR",
  "items": [
    { "sku": "MUG-01", "quantity": 2, "unit_price": 12.50, "name": "Becher, blau" },
    { "sku": "TEA-77", "quantity": 1, "unit_price": "7.90", "name": "Grüner Tee" }
  ],
  "delivery": {
    "address_id": "5f0c1d3e-8a44-4b0e-9d27-6c1f2a90b7e3",
    "method": "express",
    "date": "2026-12-04"
  },
  "coupon": "SPRING",
  "total": 32.9,
  "request_id": "r-1"
}`,
  },
  second: {
    tenant: "nordlicht",
    action: "order.place",
    epoch: "1796040240",
    payload: `{
  "total": "32.90",
  "items": [
    { "unit_price": 7.9, "sku": "TEA-77", "quantity": "1", "name": "Green tea" },
    { "quantity": 2.0, "unit_price": "1.25e1", "sku": "MUG-01", "name": "Mug, blue" }
  ],
  "delivery": {
    "method": "Express",
    "date": " 2026-12-04",
    "address_id": "5F0C1D3E8A444B0E9D276C1F2A90B7E3"
  },
  "currency": "eur",
  "coupon": " spring ",
  "customer": { "id": "C-20711" },
  "request_id": "r-2"
}`,
  },
};
