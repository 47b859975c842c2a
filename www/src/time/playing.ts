// How far the picture has played.

import { signal } from "@preact/signals";

/** How long it takes from the decision to the last delivery, in milliseconds. */
const LENGTH = 7000;

/** 0 is the decision, 1 the last delivery. */
export const played = signal(0);
export const isPlaying = signal(false);

let frame = 0;

/** Plays on, or from the start where it was at the end. */
export function play(): void {
  if (played.value >= 1) played.value = 0;
  isPlaying.value = true;
  let last = performance.now();
  const step = (now: number) => {
    played.value = Math.min(1, played.value + Math.max(0, now - last) / LENGTH);
    last = now;
    if (played.value < 1) frame = requestAnimationFrame(step);
    else isPlaying.value = false;
  };
  frame = requestAnimationFrame(step);
}

export function pause(): void {
  cancelAnimationFrame(frame);
  isPlaying.value = false;
}

/** Shows all of it at once: a slider moves, or motion is not wanted. */
export function showAll(): void {
  pause();
  played.value = 1;
}

/** The first time: by itself, unless motion is not wanted. */
export function begin(): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) showAll();
  else play();
}
