"""Stripe's own client, pointed at the proxy: its retries carry one key and have one effect."""

import sys

import stripe

url = sys.argv[1]
client = stripe.StripeClient(
    "sk_test_planted",
    base_addresses={"api": url},
    max_network_retries=8,
    http_client=stripe.RequestsClient(timeout=1),
)

# The first attempt times out in the client while the service goes on; later ones get 409, and then the answer.
slow = client.v1.charges.create({"amount": 2000, "currency": "usd"}, {"idempotency_key": "order-1"})
again = client.v1.charges.create({"amount": 2000, "currency": "usd"}, {"idempotency_key": "order-1"})
assert (slow.id, again.id) == ("ch_1", "ch_1"), (slow.id, again.id)
assert again.last_response.headers["Idempotent-Replayed"] == "true", again.last_response.headers

# Its own random key, one for each call.
assert client.v1.charges.create({"amount": 100, "currency": "usd"}).id == "ch_2"

try:
    client.v1.charges.create({"amount": 7, "currency": "usd"}, {"idempotency_key": "order-1"})
    raise SystemExit("another amount under the key was taken")
except stripe.IdempotencyError as error:
    assert error.http_status == 400, error.http_status

print("ok")
