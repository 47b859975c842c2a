// Field by field: class, rule, raw kind and canonical form, of both.

import type { ExplainedField, Explanation } from "intentkey";
import { pattern } from "../editor/path";
import { text } from "../page/preferences";
import { fieldOf } from "../page/refusals";
import { outcomes, type Place, PLACES, verdict } from "../state";
import { areEqual } from "./verdict";
import { WORDS } from "./words";

/** A field as the two have it. */
interface Row {
  readonly field: string;
  readonly first?: ExplainedField | undefined;
  readonly second?: ExplainedField | undefined;
}

export function Fields() {
  const words = text(WORDS);
  const [a, b] = [outcomes.first.value?.explanation, outcomes.second.value?.explanation];
  const rows = rowsOf(a, b);
  const found = verdict.value;
  const blamed = new Set(found !== undefined && "fields" in found ? found.fields : []);
  return (
    <div class="fields" role="table" aria-label={words.fields}>
      <div class="row head" role="row">
        <span role="columnheader">{words.columns.field}</span>
        <span role="columnheader">{words.columns.rule}</span>
        <span role="columnheader">{words.names.first}</span>
        <span role="columnheader">{words.names.second}</span>
        <span role="columnheader">{words.columns.marks}</span>
      </div>
      {PLACES.map((place) => <RefusedRow key={place} place={place} />)}
      {rows.map((row) => <FieldRow key={row.field} row={row} mark={markOf(row, a, b)} isBlamed={blamed.has(pattern(row.field))} />)}
    </div>
  );
}

type Mark = "equal" | "unequal" | "passedOver" | undefined;

function markOf({ field, first, second }: Row, a: Explanation | undefined, b: Explanation | undefined): Mark {
  if ((first ?? second)?.class === "ignored") return "passedOver";
  if (a === undefined || b === undefined) return undefined;
  return first?.canonical === second?.canonical || (field.includes("[") && areEqual(a, b, pattern(field))) ? "equal" : "unequal";
}

const SIGNS = { equal: "=", unequal: "≠", passedOver: "–" };

function FieldRow({ row, mark, isBlamed }: { readonly row: Row; readonly mark: Mark; readonly isBlamed: boolean }) {
  const words = text(WORDS);
  const { class: kind, rule } = row.first ?? row.second ?? {};
  return (
    <div class={`row ${mark ?? ""} ${isBlamed ? "blamed" : ""}`} role="row" data-field={row.field} data-mark={mark}>
      <span role="rowheader" class="field"><code>{row.field}</code></span>
      <span role="cell" class="rule">
        {kind !== undefined && <span class={`class ${kind}`}>{words.classes[kind]}</span>} {rule !== undefined && <code>{rule}</code>}
      </span>
      {PLACES.map((place) => (
        <span role="cell" class="form" key={place}>
          <span class="who">{words.short[place]}</span> {outcomes[place].value?.explanation === undefined ? <i>{words.noKey}</i> : <Form field={row[place]} />}
        </span>
      ))}
      <span role="cell" class="mark">
        {mark !== undefined && (
          <>
            <span aria-hidden="true">{SIGNS[mark]}</span> <span class="said">{words[mark]}</span>
          </>
        )}
      </span>
    </div>
  );
}

/** A raw kind and the canonical form that came of it. */
function Form({ field }: { readonly field: ExplainedField | undefined }) {
  const words = text(WORDS);
  if (field === undefined || (field.canonical === undefined && field.class !== "ignored")) return <i>{words.absent}</i>;
  if (field.class === "ignored") return <i>{words.classes.ignored}</i>;
  return (
    <>
      <small>{words.kinds[field.kind ?? ""] ?? field.kind}</small> <code class="canonical">{field.canonical === undefined ? "" : visible(field.canonical)}</code>
    </>
  );
}

/** A canonical form with its edges and what is invisible in it shown. */
function visible(form: string): string {
  return JSON.stringify(form).replace(/[\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function RefusedRow({ place }: { readonly place: Place }) {
  const words = text(WORDS);
  const refusal = outcomes[place].value?.refusal;
  if (refusal === undefined) return null;
  return (
    <div class="row refused" role="row" data-refused={place}>
      <span role="rowheader" class="field"><code>{fieldOf(refusal) ?? words.payload}</code></span>
      <span role="cell" class="rule" />
      {PLACES.map((of) => (
        <span role="cell" class={`form ${of === place ? "" : "empty"}`} key={of}>
          {of === place && <><span class="who">{words.short[place]}</span> <code class="code">{refusal.code}</code></>}
        </span>
      ))}
      <span role="cell" class="mark" />
    </div>
  );
}

const ORDER = { identity: 0, checked: 1, ignored: 2 };

function rowsOf(a: Explanation | undefined, b: Explanation | undefined): Row[] {
  const rows = new Map<string, Row>();
  for (const field of a?.fields ?? []) rows.set(field.field, { field: field.field, first: field });
  for (const field of b?.fields ?? []) rows.set(field.field, { ...rows.get(field.field), field: field.field, second: field });
  const place = ({ first, second }: Row) => ORDER[(first ?? second)?.class ?? "ignored"];
  return [...rows.values()].sort((one, other) => place(one) - place(other));
}
