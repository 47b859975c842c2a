// Before the first paint: the theme and the language that this browser had here last, or asks for.
(() => {
  const { documentElement: page } = document;
  let kept = {};
  try {
    kept = { theme: localStorage.getItem("theme"), language: localStorage.getItem("language") };
  } catch {
    // Storage may be shut: then the browser's own preferences hold.
  }
  if (kept.theme === "light" || kept.theme === "dark") page.dataset.theme = kept.theme;
  const preferred = kept.language ?? (navigator.languages ?? [navigator.language])[0];
  page.lang = /^pt\b/i.test(preferred ?? "") ? "pt-BR" : "en";
})();
