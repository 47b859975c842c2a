// The language and the theme: the browser's, or what was chosen here.

import { effect, signal } from "@preact/signals";

export type Language = "en" | "pt";
export type Theme = "auto" | "light" | "dark";

const page = document.documentElement;

export const language = signal<Language>(page.lang.startsWith("pt") ? "pt" : "en");
export const theme = signal<Theme>((page.dataset["theme"] as Theme | undefined) ?? "auto");

/** A text in both languages, in the one that is shown. */
export function text<T>(texts: { readonly en: T; readonly pt: T }): T {
  return texts[language.value];
}

/** How numbers and times are written. */
export function locale(): string {
  return language.value === "pt" ? "pt-BR" : "en-GB";
}

const TITLES = {
  en: "intentkey playground: the same intent, the same key",
  pt: "intentkey, na prática: a mesma intenção, a mesma chave",
};

effect(() => {
  page.lang = language.value === "pt" ? "pt-BR" : "en";
  document.title = text(TITLES);
  if (theme.value === "auto") delete page.dataset["theme"];
  else page.dataset["theme"] = theme.value;
});

/** Shows a language from now on, and remembers it. */
export function choose(what: "language" | "theme", value: Language | Theme): void {
  if (what === "language") language.value = value as Language;
  else theme.value = value as Theme;
  try {
    localStorage.setItem(what, value);
  } catch {
    // Storage may be shut: then it is only for now.
  }
}
