// A payment that is redelivered: which key each attempt has, and which of them the destination charges.

import type { DerivedKey, Deriver, Intent, PolicyDocument } from "intentkey";
import { IntentKeyError } from "intentkey";

/** What the sliders say, in seconds. */
export interface Settings {
  /** How long after the decision the last redelivery comes. */
  readonly delay: number;
  readonly bucket: number;
  /** How far the second producer's clock is ahead. */
  readonly skew: number;
  readonly edge: number;
}

/** One delivery of the payment. */
export interface Attempt {
  /** Seconds after the decision. */
  readonly at: number;
  readonly key: string;
  readonly bucket: number;
  /** A key that the destination had not seen: it charges. */
  readonly isCharged: boolean;
}

/** How many times the queue redelivers: three times a quarter of an hour, over six hours. */
export const REDELIVERIES = 72;

/** A policy with the time of the sliders. */
export function withTime(policy: PolicyDocument, { bucket, edge }: Settings): string {
  return JSON.stringify({ ...policy, bucket_seconds: bucket, edge_seconds: Math.min(edge, Math.floor(bucket / 2)) });
}

/** The deliveries; `isFrozen` where each carries the second of the decision, else each reads the clock. */
export function deliveries(deriver: Deriver, intent: Intent, delay: number, isFrozen: boolean): Attempt[] {
  const moments = Array.from({ length: REDELIVERIES + 1 }, (_, index) => Math.floor((delay * index) / REDELIVERIES));
  const epochs = moments.map((at) => intent.intentEpoch + (isFrozen ? 0 : at));
  const seen = new Set<string>();
  return derivedAt(deriver, intent, epochs).map(({ key, bucket }, index) => {
    const isCharged = !seen.has(key);
    seen.add(key);
    return { at: moments[index] ?? 0, key, bucket, isCharged };
  });
}

/** The keys of an intent, had it been decided at these seconds. */
export function derivedAt(deriver: Deriver, intent: Intent, epochs: readonly number[]): DerivedKey[] {
  const intents = epochs.map((intentEpoch) => ({ ...intent, intentEpoch }));
  return deriver.deriveBatch(intents, { fingerprints: false }).map((derived) => {
    if (derived instanceof IntentKeyError) throw derived;
    return derived;
  });
}

/** Attempts in a row that have one key. */
export interface Run {
  readonly key: string;
  readonly first: Attempt;
  readonly last: Attempt;
}

/** The attempts by key, in order. */
export function runs(attempts: readonly Attempt[]): Run[] {
  const found: Run[] = [];
  for (const attempt of attempts) {
    const run = found.at(-1);
    if (run?.key === attempt.key) found[found.length - 1] = { ...run, last: attempt };
    else found.push({ key: attempt.key, first: attempt, last: attempt });
  }
  return found;
}
