"""A producer for transfer.toml, with the standard library alone; its argument plants a fault.

Reads one JSON intent a line, writes one JSON result a line, as `intentkey derive` does. A refusal has
no code: what is not told is not compared.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import unicodedata
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

FAULT = sys.argv[1] if len(sys.argv) > 1 else None
BUCKET_SECONDS = 86400
WIDE = Context(prec=2000, Emax=999999, Emin=-999999)


def text(value):
    if FAULT == "lower":
        return unicodedata.normalize("NFC", unicodedata.normalize("NFD", value).lower()).strip()
    if FAULT == "no-nfc":
        return value.casefold().strip()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", value).casefold()).strip()


def amount(value):
    if FAULT == "float":
        return f"{float(value):.2f}".replace("-0.00", "0.00")
    written = value if isinstance(value, str) else shortest(value)
    written = written.strip()
    if not re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", written):
        raise ValueError
    rounding = ROUND_HALF_EVEN if FAULT == "half-even" else ROUND_HALF_UP
    number = WIDE.create_decimal(written).quantize(Decimal("0.01"), rounding=rounding, context=WIDE)
    if len(number.as_tuple().digits) > 28:
        raise ValueError
    return format(abs(number) if number == 0 else number, "f")


def shortest(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError
    number = float(value)
    if number.is_integer() and abs(number) > 2**53 - 1:
        raise ValueError
    return str(int(number)) if number.is_integer() else repr(number)


def string(value):
    if not isinstance(value, str):
        raise TypeError
    value.encode()
    return value


def tags(values):
    if not isinstance(values, list):
        raise TypeError
    listed = [string(value) for value in values]
    return sorted(listed) if FAULT == "list-order" else listed


RULES = {
    "to": string,
    "amount": amount,
    "note": lambda value: text(string(value)),
    "tags": tags,
}


def unique(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError
    return dict(pairs)


def derive(secret, intent):
    tenant, action, epoch = (intent.pop(name) for name in ("tenant", "action", "intent_epoch"))
    payload = intent.pop("payload")
    payload.pop("request_id", None)
    unknown = payload.keys() - RULES.keys()
    if intent or action != "transfer.send" or not string(tenant) or unknown and FAULT != "drop-unclassified":
        raise ValueError
    if isinstance(epoch, bool) or not isinstance(epoch, (int, float)) or epoch != int(epoch):
        raise ValueError
    if not 0 <= epoch < 10**11:
        raise ValueError
    body = {name: rule(payload[name]) for name, rule in RULES.items() if name in payload}
    body["to"], body["amount"]
    local = -3 * 3600 if FAULT == "local-time" else 0
    bucket = (int(epoch) + local) // BUCKET_SECONDS
    material = json.dumps(
        [tenant, action, body, bucket], sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return hmac.new(secret, material.encode(), hashlib.sha256).hexdigest()


def main():
    secret = bytes.fromhex(os.environ["INTENTKEY_SECRET"])
    sys.stdin.reconfigure(encoding="utf-8")
    sys.set_int_max_str_digits(0)
    for line in sys.stdin:
        try:
            print(json.dumps({"key": derive(secret, json.loads(line, object_pairs_hook=unique))}))
        except Exception:
            print(json.dumps({"error": {}}))


main()
