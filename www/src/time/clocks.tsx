// The second picture: two producers with two clocks, around the end of a bucket.

import { text } from "../page/preferences";
import { useWidth } from "../page/width";
import { type Meeting, type Moment, stretches } from "./meeting";
import { duration, WORDS } from "./words";

const ROW = 30;
const GAP = 8;
/** The narrowest stretch that has its name in it, in pixels. */
const NAMED = 150;

interface ClocksProps {
  readonly moments: readonly Moment[];
  readonly bucket: number;
}

export function Clocks({ moments, bucket }: ClocksProps) {
  const words = text(WORDS).two;
  const [ref, width] = useWidth<HTMLDivElement>();
  const count = (wanted: Meeting) => moments.filter(({ meeting }) => meeting === wanted).length;
  const [split, joined] = [count("split"), count("edge")];
  const from = moments[0]?.offset ?? 0;
  const x = (offset: number) => ((offset - from) / (moments.length || 1)) * width;
  const rows = [
    { name: words.a, of: ({ first }: Moment) => `bucket ${first}` },
    { name: words.b, of: ({ second }: Moment) => `bucket ${second}` },
    { name: words.meet, of: ({ meeting }: Moment) => meeting },
  ];
  const result = words.result(split, joined, duration(bucket));
  return (
    <div class="clocks">
      <p class={`verdict-line ${split > 0 ? "split" : "one"}`} role="status" data-split={split} data-joined={joined}>
        {result}
      </p>
      <div ref={ref} class="drawing">
        {width > 0 && (
          <svg width={width} height={3 * (ROW + GAP + 16) + 22} role="img" aria-label={`${words.picture}. ${result}`}>
            {rows.map(({ name, of }, index) => (
              <g key={name} transform={`translate(0 ${index * (ROW + GAP + 16)})`}>
                <text class="row-name" x="0" y="12">
                  {name}
                </text>
                {stretches(moments, of).map(({ from: start, to, is }) => (
                  <Stretch key={start} is={is} x={x(start)} width={x(to) - x(start)} isFirst={start === from} />
                ))}
              </g>
            ))}
            <line class="end" x1={x(0)} x2={x(0)} y1="14" y2={3 * (ROW + GAP + 16)} />
            <text class="row-name" x={x(0)} y={3 * (ROW + GAP + 16) + 14} text-anchor="middle">
              {words.end}
            </text>
            <text class="row-name" x="0" y={3 * (ROW + GAP + 16) + 14}>{`${from} s`}</text>
            <text class="row-name" x={width} y={3 * (ROW + GAP + 16) + 14} text-anchor="end">{`+${from + moments.length} s`}</text>
          </svg>
        )}
      </div>
      <ul class="legend">
        {(["same", "edge", "split"] as const).map((meeting) => (
          <li key={meeting}>
            <span class={`swatch ${meeting}`} /> {words.names[meeting]}
            {meeting !== "same" && `: ${count(meeting)} s`}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface StretchProps {
  /** `bucket N`, or how the keys meet. */
  readonly is: string;
  readonly x: number;
  readonly width: number;
  readonly isFirst: boolean;
}

function Stretch({ is, x, width, isFirst }: StretchProps) {
  const names: Record<string, string> = text(WORDS).two.names;
  const name = names[is] ?? `n${isFirst ? "" : " + 1"}`;
  return (
    <g class={`stretch ${is.startsWith("bucket") ? (isFirst ? "before" : "after") : is}`}>
      <rect x={x} y="18" width={Math.max(1, width - 1)} height={ROW} rx="4" />
      {width >= (is.startsWith("bucket") ? 44 : NAMED) && (
        <text x={x + 8} y={18 + ROW / 2 + 4}>
          {name}
        </text>
      )}
    </g>
  );
}
