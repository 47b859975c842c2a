"""A Flask service that counts its effects by the key that the proxy gives it.

It prints its port. POST /payments pays; POST /partial/<status> pays and then fails with that status; POST
/slow takes two seconds; GET /effects says what happened; POST /v1/charges is as a Stripe client has it.
"""

import sys
import threading
import time

from flask import Flask, jsonify, request
from werkzeug.serving import make_server

app = Flask(__name__)
effects: dict[str, int] = {}
lock = threading.Lock()


def effect() -> int:
    key = request.headers.get("Intent-Key", "")
    with lock:
        effects[key] = effects.get(key, 0) + 1
        return sum(effects.values())


@app.post("/payments")
def payments():
    body = request.get_json(silent=True)
    amount = body.get("amount") if isinstance(body, dict) else None
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 1:
        return jsonify(error="amount"), 422
    if set(body) - {"amount", "note"} or not isinstance(body.get("note", ""), str):
        return jsonify(error="members"), 422
    count = effect()
    return jsonify(id=count, amount=amount), 201, {"Location": f"/payments/{count}", "Set-Cookie": "a=b"}


@app.post("/partial/<int:status>")
def partial(status):
    return jsonify(count=effect()), status


@app.post("/slow")
def slow():
    count = effect()
    time.sleep(2)
    return jsonify(count=count), 201


@app.post("/v1/charges")
def charges():
    count = effect()
    if request.form.get("amount") == "2000":
        time.sleep(2)
    return jsonify(id=f"ch_{count}", object="charge", amount=int(request.form["amount"]))


@app.get("/effects")
def all_effects():
    with lock:
        return jsonify(total=sum(effects.values()), most=max(effects.values(), default=0))


@app.get("/openapi.json")
def openapi():
    problem = {"content": {"application/problem+json": {"schema": {"type": "object", "required": ["type", "title"]}}}}
    error = {"content": {**problem["content"], "application/json": {"schema": {"type": "object"}}}}
    responses = {status: {"description": "no", **problem} for status in ("400", "409", "413", "415")}
    responses["422"] = {"description": "refused", **error}
    responses["201"] = {
        "description": "paid",
        "content": {"application/json": {"schema": {
            "type": "object", "required": ["id", "amount"],
            "properties": {"id": {"type": "integer"}, "amount": {"type": "integer"}},
        }}},
    }
    body = {
        "type": "object", "required": ["amount"], "additionalProperties": False,
        "properties": {"amount": {"type": "integer", "minimum": 1, "maximum": 9}, "note": {"type": "string"}},
    }
    key = {"type": "string", "pattern": "^\"[a-c]{1,2}\"$"}
    return jsonify(openapi="3.0.3", info={"title": "Payments", "version": "1"}, paths={"/payments": {"post": {
        "parameters": [{"in": "header", "name": "Idempotency-Key", "required": True, "schema": key}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": responses,
    }}})


server = make_server("127.0.0.1", 0, app, threaded=True)
print(server.server_port, flush=True)
sys.stdout.close()
server.serve_forever()
