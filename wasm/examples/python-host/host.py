"""Keys in Python: the component in wasmtime.

    pip install -r requirements.txt
    INTENTKEY_SECRET=<hex> python3 host.py target/pack/intentkey.component.wasm payment.policy.json

The component imports nothing: no clock, no randomness, no files. What it may use of this process
is bounded by fuel and by a limit on memory.
"""

import json
import os
import sys

from wasmtime import Config, Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

FUEL_PER_CALL = 1_000_000_000
MEMORY = 64 << 20


class Refused(Exception):
    """Why there is no key: a code, and the fields concerned. Holds no value and no secret."""

    def __init__(self, refusal):
        super().__init__(refusal.message)
        self.code, self.field, self.fields = refusal.code, refusal.field, refusal.fields


class Deriver:
    def __init__(self, component, policy, secret):
        config = Config()
        config.consume_fuel = True
        engine = Engine(config)
        self._store = Store(engine)
        self._store.set_limits(memory_size=MEMORY)
        self._store.set_fuel(FUEL_PER_CALL)
        self._instance = Linker(engine).instantiate(self._store, Component.from_file(engine, component))
        self._interface = self._instance.get_export_index(self._store, "intentkey:keys/derivation@0.1.0")
        self._deriver = self._call("[static]deriver.create", policy, Variant("bare", secret))

    def key(self, tenant, action, intent_epoch, payload):
        intent = Record()
        intent.tenant, intent.action, intent.payload = tenant, action, json.dumps(payload)
        setattr(intent, "intent-epoch", intent_epoch)
        return self._call("[method]deriver.derive-key", self._deriver, intent).key

    def _call(self, name, *arguments):
        index = self._instance.get_export_index(self._store, name, self._interface)
        function = self._instance.get_func(self._store, index)
        self._store.set_fuel(FUEL_PER_CALL)
        answer = function(self._store, *arguments)
        # Without this the next call is refused: it gives the answer's memory back.
        function.post_return(self._store)
        # A result comes tagged where both its sides are records, and bare where they differ.
        if isinstance(answer, Variant):
            is_refused, answer = answer.tag == "err", answer.payload
        else:
            is_refused = isinstance(answer, Record)
        if is_refused:
            raise Refused(answer)
        return answer


def main(component, policy):
    with open(policy, encoding="utf-8") as file:
        deriver = Deriver(component, file.read(), bytes.fromhex(os.environ["INTENTKEY_SECRET"]))
    payment = {"creditor_key": "52998224725", "amount": 10.5, "currency": "BRL", "request_id": "5f0a"}
    print(deriver.key("ana", "payment.create", 1_767_225_700, payment))
    try:
        deriver.key("ana", "payment.create", 1_767_225_700, {**payment, "colour": "red"})
    except Refused as refused:
        # field_unclassified ['colour']: nothing is dropped in silence.
        print(refused.code, *refused.fields)


if __name__ == "__main__":
    main(*sys.argv[1:])
