// The material and the keys, in full.

import { KeyGlyph } from "../page/key-glyph";
import { text } from "../page/preferences";
import { outcomes, PLACES, type Place } from "../state";
import { WORDS } from "./words";

export function Keys() {
  return <div class="pair">{PLACES.map((place) => <KeyCard key={place} place={place} />)}</div>;
}

function KeyCard({ place }: { readonly place: Place }) {
  const words = text(WORDS);
  const explanation = outcomes[place].value?.explanation;
  const other = outcomes[place === "first" ? "second" : "first"].value?.explanation;
  if (explanation === undefined) {
    return <article class="card keys" data-of={place}><h4>{words.names[place]}</h4><p class="none">{words.noKey}</p></article>;
  }
  const { key, fingerprint, bucket, material, edge } = explanation;
  return (
    <article class="card keys" data-of={place}>
      <h4>{words.names[place]}</h4>
      <KeyGlyph of={key} />
      <dl>
        <dt>{words.key}</dt>
        <dd><code data-value="key">{key}</code></dd>
        {edge !== undefined && <><dt>{words.edge}</dt><dd><code data-value="edge">{edge.key}</code></dd></>}
        <dt>{words.fingerprint}</dt>
        <dd><code data-value="fingerprint">{fingerprint}</code></dd>
        <dt>{words.bucket}</dt>
        <dd><code>{bucket}</code></dd>
        <dt>{words.material} <small>{words.materialHint}</small></dt>
        <dd><Marked text={material} beside={other?.material} /></dd>
      </dl>
    </article>
  );
}

/** A text, with what is not in the one beside it marked: what lies between their common ends. */
function Marked({ text: whole, beside }: { readonly text: string; readonly beside: string | undefined }) {
  if (beside === undefined || whole === beside) return <code data-value="material">{whole}</code>;
  const least = Math.min(whole.length, beside.length);
  let from = 0;
  while (from < least && whole[from] === beside[from]) from++;
  let after = 0;
  while (after < least - from && whole.at(-1 - after) === beside.at(-1 - after)) after++;
  const to = whole.length - after;
  return (
    <code data-value="material">
      {whole.slice(0, from)}<mark>{whole.slice(from, to)}</mark>{whole.slice(to)}
    </code>
  );
}
