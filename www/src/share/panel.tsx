// Share: a link, files, and programs that run.

import { signal } from "@preact/signals";
import { text } from "../page/preferences";
import { policy, producers, type Typed } from "../state";
import { command, type File, files, program } from "./exports";
import { fragmentOf } from "./fragment";
import { WORDS } from "./words";

const said = signal<"copied" | "shown" | "tooLarge" | undefined>(undefined);
const address = signal("");

function typed(): Typed {
  return { policy: policy.value, first: producers.first.value, second: producers.second.value };
}

export function SharePanel() {
  const words = text(WORDS);
  return (
    <section id="share" aria-labelledby="share-title">
      <div class="intro">
        <h2 id="share-title">{words.title}</h2>
        <p>{words.lead}</p>
      </div>
      <div class="card share">
        <button type="button" class="main" data-do="link" onClick={link}>{words.link}</button>
        {address.value === "" ? <span /> : <input readonly aria-label={words.address} value={address.value} onFocus={({ currentTarget }) => currentTarget.select()} />}
        <p role="status">{said.value !== undefined && words[said.value]}</p>
        <h3>{words.files}</h3>
        <div class="files">
          {files(typed()).map((file) => (
            <button type="button" key={file.name} data-save={file.name} onClick={() => save(file)} aria-label={`${words.save} ${file.name}`}>
              <span aria-hidden="true">↓</span> <code>{file.name}</code>
            </button>
          ))}
        </div>
      </div>
      <div class="pair">
        <Program name="command" title={words.command} hint={words.commandHint} code={command()} />
        <Program name="program" title={words.program} hint={words.programHint} code={program()} />
      </div>
    </section>
  );
}

interface ProgramProps {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  readonly code: string;
}

function Program({ name, title, hint, code }: ProgramProps) {
  const words = text(WORDS);
  return (
    <article class="card program" data-program={name}>
      <header>
        <h3>{title}</h3>
        <button type="button" class="quiet" aria-label={`${words.copy}: ${title}`} onClick={() => void copy(code)}>{words.copy}</button>
      </header>
      <p>{hint}</p>
      <pre tabIndex={0} aria-label={title}><code>{code}</code></pre>
    </article>
  );
}

async function link(): Promise<void> {
  const fragment = await fragmentOf({ policy: policy.peek(), first: producers.first.peek(), second: producers.second.peek() });
  if (fragment === undefined) {
    said.value = "tooLarge";
    return;
  }
  history.replaceState(null, "", fragment);
  address.value = location.href;
  said.value = (await copy(location.href)) ? "copied" : "shown";
}

async function copy(what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(what);
    return true;
  } catch {
    // A browser may keep its clipboard shut.
    return false;
  }
}

function save({ name, text: content }: File): void {
  const at = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  const anchor = Object.assign(document.createElement("a"), { href: at, download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(at), 10_000);
}
