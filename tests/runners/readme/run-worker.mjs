// The README's worker in workerd: prints what it answers.

import { startWorker } from "../workers.mjs";

const secret = Buffer.from(process.env.INTENTKEY_SECRET, "hex").toString("base64");
const worker = await startWorker("./readme/worker.mjs", { bindings: { INTENTKEY_SECRET: secret } });
try {
  const payload = { creditor_key: "529.982.247-25", amount: "10.50", currency: "BRL" };
  const intent = { tenant: "ana", action: "payment.create", intentEpoch: 1767225700, payload };
  const response = await worker.dispatchFetch("http://worker/", { method: "POST", body: JSON.stringify(intent) });
  console.log(await response.text());
} finally {
  await worker.dispose();
}
