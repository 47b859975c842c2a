// How the editors look: by the page's own variables, so that they follow its theme.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--field)", fontSize: "13.5px", borderRadius: "8px" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", maxHeight: "var(--tallest, 30rem)", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "10px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--active)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection": {
    backgroundColor: "var(--selection)",
  },
  ".cm-gutter-lint": { width: "1em" },
  ".cm-lint-marker": { width: "0.8em", height: "0.8em" },
  ".cm-lint-marker-error": { content: "none", backgroundColor: "var(--warn)", borderRadius: "50%" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1.5px",
    textDecorationSkipInk: "none",
    backgroundColor: "var(--warn-soft)",
  },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", maxWidth: "min(30rem, 80vw)" },
  ".cm-diagnostic": { borderLeftColor: "var(--warn)", fontFamily: "var(--sans)", fontSize: "13px", padding: "8px 12px" },
  ".cm-specialChar": { color: "var(--warn)" },
});

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-name)" },
  { tag: tags.string, color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--muted)" },
  { tag: [tags.heading, tags.keyword], color: "var(--ink)", fontWeight: "600" },
  { tag: tags.invalid, color: "var(--warn)" },
]);

export const colours = [look, syntaxHighlighting(highlighting)];
