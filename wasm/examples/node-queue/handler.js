// A queue handler in Node. Queues deliver at least once: a handler that dies after it has charged
// and before it has acknowledged gets the same message again.
//
// The key is derived from the message, so the second delivery, on whichever machine, sends the
// provider the same key. Nothing is stored before the call.

import { IntentKeyError } from "intentkey";

/**
 * @param deriver a `Deriver` with the policy of payments
 * @param provider charges: `charge(key, payment)`
 * @param deadLetters takes what can never be derived: `push(message, why)`
 */
export function paymentHandler(deriver, provider, deadLetters) {
  return async function handle(message) {
    // decidedAt was written into the message when the payment was decided. The time of delivery
    // differs from one delivery to the next, and would split one payment into two.
    const { tenant, decidedAt, payment } = JSON.parse(message.body);
    let key;
    try {
      ({ key } = deriver.deriveKey({ tenant, action: "payment.create", intentEpoch: decidedAt, payload: payment }));
    } catch (error) {
      if (!(error instanceof IntentKeyError)) throw error;
      // No delivery will make this one right: to a person with it, not round and round.
      deadLetters.push({ id: message.id, why: error.toJSON() });
      return;
    }
    // A failure here throws, the queue delivers again, and the key is the same.
    await provider.charge(key, payment);
  };
}
