// Two producers decide the same payment at one moment, each by its own clock, near a bucket's end.

import type { Deriver, Intent } from "intentkey";
import { derivedAt, type Settings } from "./timeline";

/** How two keys of one intent come together: by themselves, by the edge key, or not at all. */
export type Meeting = "same" | "edge" | "split";

/** A second, and what the two producers make of it. */
export interface Moment {
  /** Seconds after the bucket's end, by the first producer's clock. */
  readonly offset: number;
  readonly first: number;
  readonly second: number;
  readonly meeting: Meeting;
}

/** How far the picture reaches to both sides of the bucket's end, in seconds: past all that differs. */
export function reachOf({ skew, edge, bucket }: Settings): number {
  return Math.min(Math.max(30, Math.ceil(1.5 * Math.max(skew, edge))), Math.floor(bucket / 2));
}

/** Every second around the first bucket's end after an intent. */
export function momentsOf(deriver: Deriver, intent: Intent, settings: Settings): Moment[] {
  const { skew, bucket } = settings;
  const reach = reachOf(settings);
  const [decided] = derivedAt(deriver, intent, [intent.intentEpoch]);
  const end = ((decided?.bucket ?? 0) + 1) * bucket;
  const offsets = Array.from({ length: 2 * reach + skew }, (_, index) => index - reach);
  const derived = derivedAt(deriver, intent, offsets.map((offset) => end + offset));
  return offsets.slice(0, 2 * reach).flatMap((offset, index) => {
    const [a, b] = [derived[index], derived[index + skew]];
    if (a === undefined || b === undefined) return [];
    const meets = a.edge !== undefined && a.edge.key === b.edge?.key;
    const meeting = a.key === b.key ? "same" : meets ? "edge" : "split";
    return [{ offset, first: a.bucket, second: b.bucket, meeting }];
  });
}

/** Stretches of moments that are alike. */
export function stretches<T>(moments: readonly Moment[], of: (moment: Moment) => T): { from: number; to: number; is: T }[] {
  const found: { from: number; to: number; is: T }[] = [];
  for (const moment of moments) {
    const is = of(moment);
    const last = found.at(-1);
    if (last?.is === is) last.to = moment.offset + 1;
    else found.push({ from: moment.offset, to: moment.offset + 1, is });
  }
  return found;
}
