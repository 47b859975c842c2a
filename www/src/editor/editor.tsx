// A text editor in the page: CodeMirror in a shadow root, where its styles are adopted sheets, which
// the page's content security policy lets pass.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, StreamLanguage } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { colours } from "./colours";
import type { Range } from "./json-places";

/** How long after a keystroke the page looks at the text, in milliseconds. */
const PATIENCE = 120;

/** Something wrong in the text. */
export interface Fault extends Range {
  readonly message: string;
}

interface EditorProps {
  /** What it is, for those who cannot see it. */
  readonly label: string;
  readonly language: "json" | "toml";
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly onText: (text: string) => void;
}

const LANGUAGES = { json: json(), toml: StreamLanguage.define(toml) };

export function Editor({ label, language, text, faults, onText }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const held = useRef<Held | null>(null);
  const tell = useRef(onText);
  tell.current = onText;
  useEffect(() => {
    if (host.current === null) return undefined;
    const made = new Held(host.current, (typed) => tell.current(typed));
    held.current = made;
    return () => made.view.destroy();
  }, []);
  useEffect(() => held.current?.describe(label, language), [label, language]);
  useEffect(() => held.current?.show(text), [text]);
  useEffect(() => held.current?.mark(faults), [faults, text]);
  return <div ref={host} class="editor" />;
}

/** Typing over a selection is done here: Chromium would carry the old text's look along in an inline
 * style, which the page's policy refuses and reports. */
const typingOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data } = event;
    if (inputType !== "insertText" || data === null || view.composing || view.state.selection.main.empty) return false;
    view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    event.preventDefault();
    return true;
  },
});

/** An editor and what it was last told. */
class Held {
  readonly view: EditorView;
  readonly #label = new Compartment();
  readonly #language = new Compartment();
  readonly #tell: (text: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, tell: (text: string) => void) {
    this.#tell = tell;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    this.view = new EditorView({ parent: root, root, extensions: this.#extensions() });
  }

  #extensions() {
    return [
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightSpecialChars(),
      bracketMatching(),
      EditorView.lineWrapping,
      // Tab stays what it is everywhere: the way on.
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
      typingOver,
      colours,
      this.#label.of([]),
      this.#language.of([]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.#later();
        if (update.focusChanged && !update.view.hasFocus) this.#now();
      }),
    ];
  }

  describe(label: string, language: "json" | "toml"): void {
    const attributes = EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" });
    this.view.dispatch({
      effects: [this.#label.reconfigure(attributes), this.#language.reconfigure(LANGUAGES[language])],
    });
  }

  /** Shows a text that comes from elsewhere; what was typed can still be had back by undoing. */
  show(text: string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { state } = this.view;
    if (state.doc.toString() === text) return;
    const isFirst = state.doc.length === 0;
    this.view.dispatch({
      changes: { from: 0, to: state.doc.length, insert: text },
      annotations: isFirst ? Transaction.addToHistory.of(false) : [],
    });
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  mark(faults: readonly Fault[]): void {
    const { length } = this.view.state.doc;
    const diagnostics = faults.map(({ from, to, message }): Diagnostic => {
      const end = Math.min(to, length);
      return { from: Math.min(from, end), to: end, severity: "error", message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#now(), PATIENCE);
  }

  #now(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#tell(this.view.state.doc.toString());
  }
}
