// What the pictures of time derive: a policy, one intent, and the sliders.

import { computed, signal } from "@preact/signals";
import { Deriver, type Intent, type PolicyDocument } from "intentkey";
import pix from "../../../harness/policies/pix-payment.toml?object";
import { INSECURE_DEMO_SECRET } from "../engine/demo-secret";
import { PIX } from "../ready/pix";
import { type Attempt, deliveries, type Settings, withTime } from "./timeline";
import { type Moment, momentsOf } from "./meeting";

/** A policy for all epochs, and an intent that has a key under it. */
export interface Source {
  readonly policy: PolicyDocument;
  readonly intent: Intent;
  /** Whether it is what was typed, not what the page begins with. */
  readonly isOwn: boolean;
}

const { tenant, action, epoch, payload } = PIX.first;
export const DEMO: Source = {
  policy: pix,
  intent: { tenant, action, intentEpoch: Number(epoch), payload: JSON.parse(payload) },
  isOwn: false,
};

export const source = signal<Source>(DEMO);
export const settings = signal<Settings>({ delay: 6 * 3600, bucket: 900, skew: 8, edge: 0 });

/** All that the pictures show. */
export interface Pictured {
  readonly attempt: readonly Attempt[];
  readonly frozen: readonly Attempt[];
  readonly moments: readonly Moment[];
  readonly intentEpoch: number;
  readonly isOwn: boolean;
}

/** Derived anew whenever a slider moves; by what the page began with, where what was typed has no key. */
export const pictured = computed<Pictured>(() => {
  try {
    return picture(source.value, settings.value);
  } catch {
    return picture(DEMO, settings.value);
  }
});

function picture({ policy, intent, isOwn }: Source, chosen: Settings): Pictured {
  const deriver = new Deriver(withTime(policy, chosen), INSECURE_DEMO_SECRET, { insecureMasterSecretInPage: true });
  try {
    return {
      attempt: deliveries(deriver, intent, chosen.delay, false),
      frozen: deliveries(deriver, intent, chosen.delay, true),
      moments: momentsOf(deriver, intent, chosen),
      intentEpoch: intent.intentEpoch,
      isOwn,
    };
  } finally {
    deriver.free();
  }
}
