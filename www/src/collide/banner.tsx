// At a glance: do the two collide, and what splits them.

import { KeyGlyph } from "../page/key-glyph";
import { text } from "../page/preferences";
import { outcomes, type Place, verdict } from "../state";
import { WORDS } from "./words";

const SIGNS = { one: "=", edge: "≈", conflict: "≠", split: "≠", refused: "!", policy: "!" };

export function Banner() {
  const words = text(WORDS);
  const { is, ...found } = verdict.value ?? { is: "policy" as const };
  const [title, meaning] = words.verdicts[is];
  const parts = "parts" in found ? found.parts.map((part) => words.parts[part]) : [];
  const fields = "fields" in found ? found.fields : [];
  return (
    <div class={`banner ${is}`} data-verdict={is} data-split={[...("parts" in found ? found.parts : []), ...fields].join(" ")}>
      <Side place="first" />
      <div class="middle" role="status">
        <span class="sign" aria-hidden="true">{SIGNS[is]}</span>
        <strong>{title}</strong>
        {parts.length + fields.length > 0 ? (
          <p>
            {words.splitBy} {[...parts, ...fields].map((name, index) => <span key={name}>{index > 0 && ", "}<code>{name}</code></span>)}
          </p>
        ) : (
          <p>{meaning}</p>
        )}
      </div>
      <Side place="second" />
    </div>
  );
}

function Side({ place }: { readonly place: Place }) {
  const words = text(WORDS);
  const key = outcomes[place].value?.explanation?.key;
  return (
    <div class={`side ${place}`}>
      <span class="who">{words.names[place]}</span>
      {key === undefined ? <span class="none">{words.noKey}</span> : (
        <>
          <KeyGlyph of={key} />
          <code title={key}>{key.slice(0, 10)}…</code>
        </>
      )}
    </div>
  );
}
