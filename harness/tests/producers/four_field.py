"""A producer that follows the published four-field recipe.

Reads one JSON intent a line, writes one JSON result a line, as `intentkey derive` does. It is what a
careful person writes from the recipe, with the standard library alone: what it gets wrong, the
recipe leaves open.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import unicodedata
from decimal import ROUND_HALF_UP, Decimal

BUCKET_SECONDS = 900


def text(value):
    return unicodedata.normalize("NFC", value).strip().casefold()


def creditor_key(value):
    value = value.strip()
    if re.fullmatch(r"[0-9./-]+", value):
        return re.sub(r"[^0-9]", "", value)
    return text(value)


def amount(value):
    number = Decimal(str(value).strip())
    return str(number.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)) if number.is_finite() else str(number)


def currency(value):
    return value.strip().upper()


RULES = {"creditor_key": creditor_key, "amount": amount, "currency": currency, "remittance": text}


def derive(secret, intent):
    payload = intent["payload"]
    body = {name: rule(payload[name]) for name, rule in RULES.items() if name in payload}
    bucket = intent["intent_epoch"] // BUCKET_SECONDS
    material = json.dumps(
        [intent["tenant"], intent["action"], body, bucket],
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )
    return hmac.new(secret, material.encode(), hashlib.sha256).hexdigest()


def main():
    secret = bytes.fromhex(os.environ["INTENTKEY_SECRET"])
    sys.stdin.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        try:
            print(json.dumps({"key": derive(secret, json.loads(line))}))
        except Exception as error:
            print(json.dumps({"error": {"message": type(error).__name__}}))


main()
