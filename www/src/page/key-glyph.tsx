// A key as a small picture: equal keys look alike at a glance, unequal ones do not.

/** A hue for a key, 0 to 359: nothing but a colour to tell keys apart by. */
export function hueOf(key: string): number {
  let mixed = 0x811c9dc5;
  for (const character of key) mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return (mixed ^ (mixed >>> 15)) % 360;
}

const BARS = 20;
const HEIGHT = 24;

export function KeyGlyph({ of }: { readonly of: string }) {
  const characters = [...of.replaceAll("-", "")].slice(0, BARS);
  return (
    <svg class="glyph" viewBox={`0 0 ${BARS * 4} ${HEIGHT}`} aria-hidden="true" style={{ "--hue": hueOf(of) }}>
      {characters.map((character, index) => {
        const height = 4 + (character.charCodeAt(0) * 7 + 5) % (HEIGHT - 4);
        return <rect key={index} class="key-fill" x={index * 4} y={HEIGHT - height} width="3" height={height} rx="1" />;
      })}
    </svg>
  );
}
