// Time: why a key that is born in the attempt fails.

import { signal } from "@preact/signals";
import { text } from "../page/preferences";
import { Clocks } from "./clocks";
import { Axis, Lane } from "./lane";
import { isPlaying, pause, play, played, showAll } from "./playing";
import { Slider } from "./slider";
import { pictured, settings } from "./source";
import type { Settings } from "./timeline";
import { duration, WORDS } from "./words";

const DELAYS = [900, 1800, 3600, 7200, 3 * 3600, 4 * 3600, 6 * 3600, 8 * 3600, 12 * 3600, 24 * 3600];
const BUCKETS = [60, 300, 600, 900, 1800, 3600, 2 * 3600, 6 * 3600, 24 * 3600];
const SKEWS = Array.from({ length: 61 }, (_, index) => index);
const EDGES = [0, 5, 10, 15, 20, 30, 45, 60, 90, 120];

/** What "put it into the policy" does; there once the policy's editor is. */
export const putIntoPolicy = signal<((settings: Settings) => void) | undefined>(undefined);

export function TimePanel() {
  const words = text(WORDS);
  const chosen = settings.value;
  const { attempt, frozen, moments, intentEpoch, isOwn } = pictured.value;
  const { delay, bucket, skew, edge } = chosen;
  const set = (changed: Partial<Settings>) => {
    showAll();
    const next = { ...chosen, ...changed };
    settings.value = { ...next, edge: Math.min(next.edge, Math.floor(next.bucket / 2)) };
  };
  const crossings = (attempt.at(-1)?.bucket ?? 0) - (attempt[0]?.bucket ?? 0);
  const again = played.value >= 1 ? words.replay : words.play;
  return (
    <>
      <div class="card picture">
        <div class="story">
          <p>{words.story(duration(delay), duration(bucket), crossings)}</p>
          <button type="button" class="quiet" onClick={() => (isPlaying.value ? pause() : play())}>
            {isPlaying.value ? words.pause : again}
          </button>
        </div>
        <Lane name="attempt" attempts={attempt} delay={delay} bucket={bucket} intentEpoch={intentEpoch} />
        <Lane name="frozen" attempts={frozen} delay={delay} bucket={bucket} intentEpoch={intentEpoch} />
        <Axis delay={delay} intentEpoch={intentEpoch} />
        <ul class="legend">
          <li><span class="swatch coin" /> {words.legend.charge}</li>
          <li><span class="swatch tick" /> {words.legend.repeat}</li>
          <li><span class="swatch hues" /> {words.legend.bucket}</li>
        </ul>
        <div class="sliders">
          <Slider id="delay" name={words.sliders.delay} stops={DELAYS} value={delay} shown={duration} onChange={(value) => set({ delay: value })} />
          <Slider id="bucket" name={words.sliders.bucket} stops={BUCKETS} value={bucket} shown={duration} onChange={(value) => set({ bucket: value })} />
        </div>
      </div>
      <p class="moral">{words.moral}</p>
      <div class="card two">
        <div>
          <h2>{words.two.title}</h2>
          <p>{words.two.lead}</p>
          <div class="sliders">
            <Slider id="skew" name={words.sliders.skew} stops={SKEWS} value={skew} shown={words.seconds} onChange={(value) => set({ skew: value })} />
            <Slider id="edge" name={words.sliders.edge} stops={EDGES.filter((stop) => stop <= bucket / 2)} value={edge} shown={words.seconds} onChange={(value) => set({ edge: value })} />
          </div>
        </div>
        <Clocks moments={moments} bucket={bucket} />
      </div>
      <div class="note">
        <p>{isOwn || putIntoPolicy.value === undefined ? words.own : words.demo}</p>
        <button type="button" class="quiet" disabled={putIntoPolicy.value === undefined} onClick={() => putIntoPolicy.value?.(chosen)}>
          {words.use}
        </button>
      </div>
    </>
  );
}
