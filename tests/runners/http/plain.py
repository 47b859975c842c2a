"""A service of Python's own http.server, HTTP/1.0 and all, that counts its effects. It prints its port."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

effects = {}
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with lock:
            key = self.headers.get("Intent-Key", "")
            effects[key] = effects.get(key, 0) + 1
        self.answer(201, {"count": sum(effects.values()), "body": body.decode()})

    def do_GET(self):
        self.answer(200, {"total": sum(effects.values()), "most": max(effects.values(), default=0)})

    def answer(self, status, members):
        body = json.dumps(members).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
