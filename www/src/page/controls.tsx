// The two switches of the header.

import { choose, language, text, type Theme, theme } from "./preferences";

const TEXTS = {
  en: { language: "Language", theme: "Theme", themes: { auto: "Auto", light: "Light", dark: "Dark" } },
  pt: { language: "Idioma", theme: "Tema", themes: { auto: "Auto", light: "Claro", dark: "Escuro" } },
};

const THEMES: readonly Theme[] = ["auto", "light", "dark"];

export function Controls() {
  const shown = text(TEXTS);
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
  return (
    <>
      <div class="switch" role="group" aria-label={shown.language}>
        {(["en", "pt"] as const).map((of) => (
          <button
            type="button"
            key={of}
            lang={of === "pt" ? "pt-BR" : "en"}
            aria-label={of === "pt" ? "PT: Português" : "EN: English"}
            aria-pressed={language.value === of}
            onClick={() => choose("language", of)}
          >
            {of.toUpperCase()}
          </button>
        ))}
      </div>
      <button type="button" class="theme" aria-label={`${shown.theme}: ${shown.themes[theme.value]}`} onClick={() => choose("theme", next)}>
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.6" />
          {theme.value === "dark" && <circle cx="10" cy="10" r="7" fill="currentColor" />}
          {theme.value === "auto" && <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />}
          {theme.value === "light" && <circle cx="10" cy="10" r="2.6" fill="currentColor" />}
        </svg>
        <span>{shown.themes[theme.value]}</span>
      </button>
    </>
  );
}
