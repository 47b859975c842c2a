// The cases in workerd, Cloudflare's runtime: `node workerd.mjs CASES`.

import { readFileSync } from "node:fs";
import { startWorker } from "./workers.mjs";

const { version } = JSON.parse(readFileSync(new URL("./node_modules/workerd/package.json", import.meta.url)));
const worker = await startWorker("./worker.mjs");
try {
  const response = await worker.dispatchFetch("http://worker/", { method: "POST", body: readFileSync(process.argv[2]) });
  const result = JSON.parse(await response.text());
  console.log(JSON.stringify({ runtime: "workerd (miniflare)", version, ...result }));
} finally {
  await worker.dispose();
}
