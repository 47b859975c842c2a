"""The cases in the component, from Python: python3 python.py CASES COMPONENT."""

import importlib.metadata
import json
import sys

from wasmtime import Config, Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

SHOWN = 5
"""How many disagreements a report shows."""
FUEL = 10_000_000_000
"""What one call may use."""
MEMORY = 64 << 20
"""What the instance may hold."""


class Host:
    """The component's functions, by their names."""

    def __init__(self, path):
        config = Config()
        config.consume_fuel = True
        engine = Engine(config)
        self.store = Store(engine)
        self.store.set_limits(memory_size=MEMORY)
        self.store.set_fuel(FUEL)
        # Nothing is linked: the component imports nothing.
        self.instance = Linker(engine).instantiate(self.store, Component.from_file(engine, path))
        self.interface = self.instance.get_export_index(self.store, "intentkey:keys/derivation@0.1.0")
        self.functions = {}

    def call(self, name, *arguments):
        if name not in self.functions:
            index = self.instance.get_export_index(self.store, name, self.interface)
            self.functions[name] = self.instance.get_func(self.store, index)
        function = self.functions[name]
        self.store.set_fuel(FUEL)
        answer = function(self.store, *arguments)
        function.post_return(self.store)
        return answer


def record(**members):
    made = Record()
    for name, value in members.items():
        setattr(made, name.replace("_", "-"), value)
    return made


def keyring(ring):
    if "bare" in ring:
        return Variant("bare", bytes.fromhex(ring["bare"]))
    entries = ring["entries"]
    if any("tenant" in entry for entry in entries):
        return Variant("tenants", [
            record(id=entry["id"], from_epoch=entry["from_epoch"], tenant=entry["tenant"],
                   tenant_secret=bytes.fromhex(entry["tenant_secret_hex"]))
            for entry in entries
        ])
    return Variant("masters", [
        record(id=entry["id"], from_epoch=entry["from_epoch"], secret=bytes.fromhex(entry["secret_hex"]))
        for entry in entries
    ])


def refused(refusal):
    error = {"code": refusal.code}
    if refusal.field is not None:
        error["field"] = refusal.field
    if refusal.fields:
        error["fields"] = refusal.fields
    return {"error": error}


def shown(answer):
    if answer.tag == "err":
        return refused(answer.payload)
    derived = answer.payload
    outcome = {
        "key": derived.key, "fingerprint": derived.fingerprint, "bucket": derived.bucket,
        "secret_id": getattr(derived, "secret-id"),
    }
    if derived.edge is not None:
        edge = derived.edge
        outcome["edge"] = {
            "key": edge.key, "fingerprint": edge.fingerprint, "secret_id": getattr(edge, "secret-id"),
        }
    return outcome


def make(host, line):
    # Where the cases of a variant are of different Python types, these bindings take and give the
    # bare value: a policy's text goes in, a deriver or a refusal comes out.
    return host.call("[static]deriver.create", line["policy"], keyring(line["keyring"]))


def outcome(host, deriver, case):
    if isinstance(deriver, Record):
        return refused(deriver)
    return shown(host.call("[method]deriver.derive-json", deriver, case["intent"]))


def main(cases, component):
    host = Host(component)
    derivers = {}
    count = agreed = 0
    disagreements = []
    with open(cases, encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            if "intent" not in line:
                derivers[line["deriver"]] = make(host, line)
                continue
            count += 1
            given = outcome(host, derivers[line["deriver"]], line)
            if given == line["expect"]:
                agreed += 1
            elif len(disagreements) < SHOWN:
                disagreements.append({
                    "id": line["id"], "route": "derive-json",
                    "expected": json.dumps(line["expect"]), "given": json.dumps(given),
                })
    print(json.dumps({
        "runtime": "wasmtime (Python)", "version": importlib.metadata.version("wasmtime"),
        "cases": count, "agreed": agreed, "disagreements": disagreements,
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
