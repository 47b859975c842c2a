// A page that derives keys with a secret it cannot read.
//
// Whoever sees a secret can enumerate the keys made with it, so a page never gets the master
// secret. It may get this user's own: HMAC-SHA256(master, "intentkey tenant v1" 0x00 user), which
// gives keys for what this user does and for nothing else. WebCrypto holds it as a key that no
// script can take out again. (Simpler, where it will do: record a UUID with `recordedKey`, or let
// the server derive.)

import { init, Policy } from "intentkey";

export class Payments {
  #user;
  #policy;
  #secret;

  /** Fetches the policy and this user's secret, and makes the module ready. */
  static async open(user) {
    const [policy, secret] = await Promise.all([
      fetch("../payment.policy.json").then((response) => response.json()),
      // The server knows the user by the session, and derives the secret from the master's.
      fetch("/my-secret").then((response) => response.arrayBuffer()),
      init(),
    ]);
    const payments = new Payments();
    payments.#user = user;
    payments.#policy = new Policy(policy);
    // `false`: not extractable. IndexedDB can keep such a key over visits.
    payments.#secret = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return payments;
  }

  /** The key of a payment that was decided at this second. */
  async key(decidedAt, payment) {
    const { bytes } = this.#policy.material({
      tenant: this.#user,
      action: "payment.create",
      intentEpoch: decidedAt,
      payload: payment,
    });
    return this.#policy.keyFromMac(await crypto.subtle.sign("HMAC", this.#secret, bytes));
  }

  /** What becomes of somebody who tries to take the secret out. */
  async reveal() {
    return crypto.subtle.exportKey("raw", this.#secret).then(() => "revealed", (error) => error.name);
  }
}
