// A service in Node that counts its effects, with chunked answers and trailers. It prints its port.
import { createServer } from "node:http";

const effects = new Map();
const total = () => [...effects.values()].reduce((sum, count) => sum + count, 0);

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ total: total(), most: Math.max(0, ...effects.values()) }));
    return;
  }
  const key = request.headers["intent-key"] ?? "";
  effects.set(key, (effects.get(key) ?? 0) + 1);
  response.writeHead(201, { "content-type": "application/json", trailer: "x-sum" });
  response.write(JSON.stringify({ count: total(), body }));
  response.addTrailers({ "x-sum": "7" });
  response.end();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
