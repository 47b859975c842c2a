// The package, which holds every rule: this page only shows what it says.

import { Deriver, type Explanation, init, IntentKeyError, type Refusal } from "intentkey";
import moduleAddress from "intentkey/intentkey.wasm?url";
import { INSECURE_DEMO_SECRET } from "./demo-secret";

/** Resolves when the package can be used. */
export const ready: Promise<void> = init(new URL(moduleAddress, import.meta.url));

/** What a producer sends, as it was typed. */
export interface Producer {
  readonly tenant: string;
  readonly action: string;
  /** The second of the decision, in digits. */
  readonly epoch: string;
  /** JSON text. */
  readonly payload: string;
}

/** What became of an intent. */
export type Outcome =
  | { readonly explanation: Explanation; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly explanation?: never };

/** A deriver for a policy (or policies over time) as JSON text, or its refusal. */
export function open(policy: string): Deriver | Refusal {
  try {
    return new Deriver(policy, INSECURE_DEMO_SECRET, { insecureMasterSecretInPage: true });
  } catch (thrown) {
    return refusalOf(thrown);
  }
}

/** The refusal that was thrown; anything else is thrown on. */
export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof IntentKeyError) return thrown.toJSON();
  throw thrown;
}

/** The number that was typed; what is none is left for the package to refuse. */
export function epochOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

/** Derives what a producer sends, and explains it. */
export function judge(deriver: Deriver, { tenant, action, epoch, payload }: Producer): Outcome {
  const intentEpoch = epochOf(epoch);
  try {
    // The text decides: repeated names are still in it.
    deriver.deriveJson({ tenant, action, intentEpoch, payload });
    return { explanation: deriver.explain({ tenant, action, intentEpoch, payload: JSON.parse(payload) }) };
  } catch (thrown) {
    return { refusal: refusalOf(thrown) };
  }
}
