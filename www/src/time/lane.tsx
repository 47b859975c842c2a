// One lane of the picture: buckets or one band, the deliveries in them, and a coin for each charge.

import { hueOf } from "../page/key-glyph";
import { locale, text } from "../page/preferences";
import { useWidth } from "../page/width";
import { played } from "./playing";
import { REDELIVERIES, runs, type Attempt, type Run } from "./timeline";
import { WORDS } from "./words";

// Heights in pixels, from the top: the coins, the band, the keys' first digits.
const COINS = 30;
const BAND = 34;
const KEYS = 20;
/** The least width of a bucket that has its key's first digits under it. */
const LABEL = 32;
/** A digit of them, in pixels. */
const DIGIT = 7;
/** From one key's hue to the next's, in degrees: the golden angle, which keeps neighbours apart. */
const TURN = 137.508;
/** Coins that stand closer than this carry no number. */
const ROOMY = 22;

interface LaneProps {
  readonly name: "attempt" | "frozen";
  readonly attempts: readonly Attempt[];
  readonly delay: number;
  readonly bucket: number;
  readonly intentEpoch: number;
}

export function Lane({ name, attempts, delay, bucket, intentEpoch }: LaneProps) {
  const words = text(WORDS);
  const [ref, width] = useWidth<HTMLDivElement>();
  const shown = attempts.filter(({ at }) => at <= played.value * delay);
  const charges = shown.filter(({ isCharged }) => isCharged).length;
  const all = attempts.filter(({ isCharged }) => isCharged).length;
  const { title, how, code } = words.lanes[name];
  const label = words.picture(title, REDELIVERIES + 1, words.keys(all), words.charges(all));
  const x = (at: number) => 10 + (at / delay) * (width - 20);
  const from = (run: Run) => (name === "frozen" ? 0 : Math.max(0, run.first.bucket * bucket - intentEpoch));
  const to = (run: Run) => (name === "frozen" ? delay : Math.min(delay, (run.first.bucket + 1) * bucket - intentEpoch));
  return (
    <section class={`lane ${name}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p class="how">
          {how} <code>{code}</code>
        </p>
        <p class="count" data-keys={all} data-charges={all}>
          <span class="keys">{words.keys(charges)}</span> <strong>{words.charges(charges)}</strong>
        </p>
      </header>
      <div ref={ref} class="drawing" style={{ minHeight: `${COINS + BAND + KEYS}px` }}>
        {width > 0 && (
          <svg width={width} height={COINS + BAND + KEYS} role="img" aria-label={label}>
            {runs(shown).map((run, index) => (
              <Band key={index} run={run} hue={(hueOf(attempts[0]?.key ?? "") + index * TURN) % 360} from={x(from(run))} to={Math.min(x(to(run)), x(Math.max(run.last.at, played.value * delay)))} />
            ))}
            {shown.map((attempt) => (
              <line key={attempt.at} class={attempt.isCharged ? "delivery charged" : "delivery"} x1={x(attempt.at)} x2={x(attempt.at)} y1={COINS + 8} y2={COINS + BAND - 8} />
            ))}
            <Coins attempts={shown} x={x} spacing={all > 1 ? (width - 20) / (all - 1) : width} />
          </svg>
        )}
      </div>
    </section>
  );
}

interface BandProps {
  readonly run: Run;
  readonly hue: number;
  readonly from: number;
  readonly to: number;
}

/** The stretch of one key, with the key's first digits where there is room. */
function Band({ run, hue, from, to }: BandProps) {
  const width = Math.max(2, to - from - 1.5);
  const digits = Math.min(16, Math.floor((width - 4) / DIGIT));
  return (
    <g style={{ "--hue": hue }}>
      <rect class="key-band" x={from} y={COINS} width={width} height={BAND} rx="4" />
      {width >= LABEL && (
        <text class="key-digits" x={from + 3} y={COINS + BAND + 15}>
          {run.key.slice(0, digits)}
        </text>
      )}
    </g>
  );
}

interface CoinsProps {
  readonly attempts: readonly Attempt[];
  readonly x: (at: number) => number;
  /** Pixels between two coins. */
  readonly spacing: number;
}

function Coins({ attempts, x, spacing }: CoinsProps) {
  const charged = attempts.filter(({ isCharged }) => isCharged);
  const radius = spacing >= ROOMY ? 10 : Math.max(2.5, Math.min(5, spacing / 2.6));
  return (
    <>
      {charged.map(({ at }, index) => (
        <g key={at} class="coin">
          <circle cx={x(at)} cy={COINS - 15} r={radius} />
          {spacing >= ROOMY && (
            <text x={x(at)} y={COINS - 11} text-anchor="middle">
              {index + 1}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

/** The hours under the lanes. */
export function Axis({ delay, intentEpoch }: { readonly delay: number; readonly intentEpoch: number }) {
  const words = text(WORDS);
  const [ref, width] = useWidth<HTMLDivElement>();
  const clock = new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
  const steps = width < 560 ? 2 : 6;
  const marks = Array.from({ length: steps + 1 }, (_, index) => Math.round((delay * index) / steps));
  const x = (at: number) => 10 + (at / delay) * (width - 20);
  const anchor = (index: number) => (index === 0 ? "start" : index === steps ? "end" : "middle");
  return (
    <div ref={ref} class="drawing axis" aria-hidden="true">
      {width > 0 && (
        <svg width={width} height="34">
          <line x1="10" x2={width - 10} y1="7" y2="7" />
          {marks.map((at, index) => (
            <g key={at}>
              <line x1={x(at)} x2={x(at)} y1="2" y2="12" />
              <text x={index === 0 ? 4 : index === steps ? width - 4 : x(at)} y="28" text-anchor={anchor(index)}>
                {clock.format(new Date((intentEpoch + at) * 1000))}
                {index === 0 && ` ${words.decided}`}
              </text>
            </g>
          ))}
          <circle class="playhead" cx={x(played.value * delay)} cy="7" r="5" />
        </svg>
      )}
    </div>
  );
}
