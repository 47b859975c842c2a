// What was typed, and what follows from it.

import { computed, effect, signal } from "@preact/signals";
import { judge, type Outcome, type Producer } from "./engine/engine";
import { text } from "./page/preferences";
import { type PolicyText, type Problem, readPolicy, type ReadPolicy } from "./policy/read";
import { READY } from "./ready";
import { verdictOf } from "./collide/verdict";
import { DEMO, source } from "./time/source";

/** The two producers, by place. */
export type Place = "first" | "second";

export const PLACES: readonly Place[] = ["first", "second"];

/** All that a link carries. */
export interface Typed {
  readonly policy: PolicyText;
  readonly first: Producer;
  readonly second: Producer;
}

/** What "reset" goes back to: the ready policy's, or the link's. */
export const initial = signal<Typed>({ policy: { format: "toml", text: READY.pix.toml }, first: READY.pix.first, second: READY.pix.second });

export const policy = signal<PolicyText>(initial.peek().policy);
export const producers = { first: signal<Producer>(initial.peek().first), second: signal<Producer>(initial.peek().second) };

const TOO_LONG = {
  en: "this page reads policies of at most 256 KB: the command reads longer ones",
  pt: "esta página lê políticas de até 256 KB: o comando lê as maiores",
};

/** The policy, read; the deriver before it gives its memory back. */
export const read = computed<ReadPolicy | Problem>(() => readPolicy(policy.value, text(TOO_LONG)));

let before: ReadPolicy | undefined;
effect(() => {
  const now = read.value;
  if (before !== undefined && before !== now) before.deriver.free();
  before = "deriver" in now ? now : undefined;
});

function outcome(place: Place) {
  return computed<Outcome | undefined>(() => {
    const by = read.value;
    return "deriver" in by ? judge(by.deriver, producers[place].value) : undefined;
  });
}

/** What became of each; undefined while the policy is refused. */
export const outcomes = { first: outcome("first"), second: outcome("second") };

/** How the two come together; undefined while the policy is refused. */
export const verdict = computed(() => {
  const [first, second] = [outcomes.first.value, outcomes.second.value];
  return first !== undefined && second !== undefined ? verdictOf(first, second) : undefined;
});

// The pictures of time show producer A's intent, where it has a key under one policy.
effect(() => {
  const by = read.value;
  const { tenant, action, epoch, payload } = producers.first.value;
  const [document, more] = "documents" in by ? by.documents : [];
  if (document === undefined || more !== undefined || outcomes.first.value?.explanation === undefined) source.value = DEMO;
  else source.value = { policy: document, intent: { tenant, action, intentEpoch: Number(epoch), payload: JSON.parse(payload) }, isOwn: true };
});

/** Shows all of something that was typed elsewhere: a ready policy, a link. */
export function show(typed: Typed): void {
  initial.value = typed;
  policy.value = typed.policy;
  producers.first.value = typed.first;
  producers.second.value = typed.second;
}
