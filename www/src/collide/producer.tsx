// One producer: what it sends, and buttons that change it.

import { useId } from "preact/hooks";
import { reorder } from "../edits/reorder";
import { respell } from "../edits/respell";
import { retry } from "../edits/retry";
import { spoil } from "../edits/spoil";
import { Editor } from "../editor/editor";
import type { Producer } from "../engine/engine";
import { text } from "../page/preferences";
import { fieldOf, said } from "../page/refusals";
import type { ReadPolicy } from "../policy/read";
import { initial, outcomes, type Place, producers, read } from "../state";
import { Classify } from "./classify";
import { faultsOf, inputOf } from "./faults";
import { WORDS } from "./words";

/** "An hour later" for the retry that reads the clock. */
const HOUR = 3600;

export function ProducerCard({ place }: { readonly place: Place }) {
  const words = text(WORDS);
  const id = useId();
  const producer = producers[place].value;
  const refusal = outcomes[place].value?.refusal;
  const refused = inputOf(refusal);
  const set = (changed: Partial<Producer>) => {
    producers[place].value = { ...producers[place].peek(), ...changed };
  };
  const actions = "documents" in read.value ? [...new Set(read.value.documents.flatMap((document) => document.actions))] : [];
  const input = (field: "tenant" | "action" | "epoch") => (
    <label class={`input ${field}`}>
      <span>{words[field]}</span>
      <input
        name={field}
        value={producer[field]}
        inputMode={field === "epoch" ? "numeric" : "text"}
        list={field === "action" ? `${id}-actions` : undefined}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={refused === field}
        aria-describedby={refused === field ? `${id}-refusal` : undefined}
        onInput={({ currentTarget }) => set({ [field]: currentTarget.value })}
      />
    </label>
  );
  return (
    <article class={`card producer ${place}`} aria-label={words.names[place]}>
      <header>
        <h3>{words.names[place]}</h3>
        <button type="button" class="quiet" data-do="reset" onClick={() => set(initial.peek()[place])}>{words.buttons.reset}</button>
      </header>
      <div class="inputs">
        {input("tenant")}
        {input("action")}
        {input("epoch")}
        <datalist id={`${id}-actions`}>{actions.map((action) => <option key={action} value={action} />)}</datalist>
      </div>
      <Editor
        label={`${words.names[place]}: ${words.payload}`}
        language="json"
        text={producer.payload}
        faults={faultsOf(producer.payload, refusal)}
        onText={(payload) => set({ payload })}
      />
      <p class="refusal" id={`${id}-refusal`} role="status">
        {refusal !== undefined && (
          <>
            <code>{refusal.code}</code> {fieldOf(refusal) !== undefined && <b>{fieldOf(refusal)} </b>}
            <span lang={said(refusal).lang}>{said(refusal).message}</span>
          </>
        )}
      </p>
      {refusal !== undefined && <Classify refusal={refusal} payload={producer.payload} />}
      <Buttons place={place} set={set} />
    </article>
  );
}

interface ButtonsProps {
  readonly place: Place;
  readonly set: (changed: Partial<Producer>) => void;
}

function Buttons({ place, set }: ButtonsProps) {
  const { make, breakIt, buttons, clockHint } = text(WORDS);
  // Read when a button is pressed: what was being typed is there by then.
  const now = () => producers[place].peek();
  const by = (change: (policy: ReadPolicy) => string) => () => {
    const policy = read.peek();
    if ("deriver" in policy) set({ payload: change(policy) });
  };
  const later = () => set({ epoch: String(Number(now().epoch) + HOUR) });
  const changes = {
    respell: by(({ deriver }) => respell(deriver, now())),
    reorder: () => set({ payload: reorder(now().payload) }),
    retry: by(({ deriver, documents }) => retry(deriver, documents[0], now())),
  };
  return (
    <div class="buttons">
      <div role="group" aria-label={make}>
        <span class="of" aria-hidden="true">{make}</span>
        {(["respell", "reorder", "retry"] as const).map((name) => (
          <button type="button" key={name} data-do={name} onClick={changes[name]}>{buttons[name]}</button>
        ))}
      </div>
      <div role="group" aria-label={breakIt}>
        <span class="of" aria-hidden="true">{breakIt}</span>
        <button type="button" class="breaks" data-do="clock" title={clockHint} onClick={later}>{buttons.clock}</button>
        {(["unclassified", "surrogate", "nan"] as const).map((name) => (
          <button type="button" class="breaks" key={name} data-do={name} onClick={() => set({ payload: spoil(now().payload, name) })}>
            {buttons[name]}
          </button>
        ))}
      </div>
    </div>
  );
}

