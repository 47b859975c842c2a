// Policy: edit one, or start from one that is ready.

import type { PolicyDocument } from "intentkey";
import { Editor, type Fault } from "../editor/editor";
import { text } from "../page/preferences";
import { said } from "../page/refusals";
import { READY, type ReadyName } from "../ready";
import { initial, policy, read, show } from "../state";
import { duration } from "../time/words";
import { converted } from "./convert";
import type { Format, Problem, ReadPolicy } from "./read";
import { WORDS } from "./words";

export function PolicyPanel() {
  const words = text(WORDS);
  const { format, text: typed } = policy.value;
  const now = read.value;
  const problem = "refusal" in now ? now : undefined;
  return (
    <section id="policy" aria-labelledby="policy-title">
      <div class="intro">
        <h2 id="policy-title">{words.title}</h2>
        <p>{words.lead}</p>
      </div>
      <div class="choices">
        <div role="group" aria-label={words.ready}>
          <span class="of">{words.ready}</span>
          {(Object.keys(READY) as ReadyName[]).map((name) => (
            <button type="button" key={name} data-ready={name} aria-pressed={initial.value.policy.text === READY[name].toml} onClick={() => begin(name)}>
              {words.names[name]}
            </button>
          ))}
        </div>
        <div class="switch" role="group" aria-label={words.format}>
          {(["toml", "json"] as const).map((of) => (
            <button type="button" key={of} data-format={of} aria-pressed={format === of} onClick={() => turn(of)}>{of.toUpperCase()}</button>
          ))}
        </div>
      </div>
      <div class="policy">
        <div class="card">
          <Editor
            label={`${words.editor} (${format.toUpperCase()})`}
            language={format}
            text={typed}
            faults={problem === undefined ? [] : [faultOf(problem)]}
            onText={(changed) => (policy.value = { ...policy.peek(), text: changed })}
          />
          <p class="refusal" role="status">{problem !== undefined && <Refused problem={problem} typed={typed} />}</p>
        </div>
        {"deriver" in now ? <Summary now={now} /> : <aside class="card summary" aria-label={words.editor}><p class="none">policy_invalid</p></aside>}
      </div>
    </section>
  );
}

function begin(name: ReadyName): void {
  const { toml, first, second } = READY[name];
  show({ policy: { format: "toml", text: toml }, first, second });
}

/** The other format; back again, a text that was not touched keeps its comments. */
function turn(to: Format): void {
  const was = policy.peek();
  if (was.format === to) return;
  const { policy: started } = initial.peek();
  const isStarted = started.format === to && converted(started, was.format) === was.text;
  policy.value = { format: to, text: isStarted ? started.text : converted(was, to) };
}

function faultOf({ refusal, at }: Problem): Fault {
  return { from: at?.from ?? 0, to: at?.to ?? 1, message: `${refusal.field ?? refusal.code}: ${refusal.message}` };
}

function Refused({ problem: { refusal, at }, typed }: { readonly problem: Problem; readonly typed: string }) {
  const words = text(WORDS);
  const { message, lang } = said(refusal);
  return (
    <>
      <code>{refusal.code}</code>{" "}
      {at !== undefined && <b data-line>{words.line(typed.slice(0, at.from).split("\n").length)}: </b>}
      {refusal.field !== undefined && <b>{refusal.field} </b>}
      <span lang={lang}>{message}</span>
    </>
  );
}

function Summary({ now: { deriver, documents } }: { readonly now: ReadPolicy }) {
  const words = text(WORDS);
  const { policies } = deriver.handshake();
  return (
    <aside class="card summary" aria-label={words.editor}>
      <p class="holds">{words.holds}</p>
      {documents.map((document, index) => (
        <Document key={index} document={document} digest={policies[index]?.digest ?? ""} />
      ))}
    </aside>
  );
}

function Document({ document, digest }: { readonly document: PolicyDocument; readonly digest: string }) {
  const words = text(WORDS);
  const { bucket_seconds: bucket, edge_seconds: edge } = document;
  return (
    <>
      <h3>{document.name}</h3>
      {(["identity", "checked", "ignored"] as const).map((kind) => (
        <div key={kind} class="members">
          <h4><span class={`class ${kind}`}>{words.titles[kind]}</span> <small>{words.classes[kind]}</small></h4>
          <p>{Object.keys(document[kind] ?? {}).map((path) => <code key={path}>{path}</code>)}</p>
        </div>
      ))}
      <dl>
        <dt>{words.bucket}</dt>
        <dd>{bucket === 0 ? words.always : duration(bucket)}</dd>
        {edge !== undefined && edge > 0 && <><dt>{words.edge}</dt><dd>{duration(edge)}</dd></>}
        <dt>{words.digest}</dt>
        <dd><code data-value="digest">{digest.slice(0, 16)}…</code> <small>{words.digestHint}</small></dd>
      </dl>
    </>
  );
}
