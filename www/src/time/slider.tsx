interface SliderProps {
  readonly id: string;
  readonly name: string;
  /** The values that it can take, in order. */
  readonly stops: readonly number[];
  readonly value: number;
  readonly shown: (value: number) => string;
  readonly onChange: (value: number) => void;
}

/** A slider over given values. */
export function Slider({ id, name, stops, value, shown, onChange }: SliderProps) {
  const at = stops.reduce((best, stop, index) => (stop <= value ? index : best), 0);
  return (
    <div class="slider">
      <label for={id}>{name}</label>
      <output for={id}>{shown(value)}</output>
      <input
        id={id}
        type="range"
        min={0}
        max={stops.length - 1}
        step={1}
        value={at}
        aria-valuetext={shown(value)}
        onInput={({ currentTarget }) => onChange(stops[currentTarget.valueAsNumber] ?? value)}
      />
    </div>
  );
}
