import { readFileSync } from "node:fs";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import { defineConfig } from "vite";
import { HEADERS_FILE, META } from "./build/policy.mjs";

/** `import policy from "….toml?object"`: a policy that the first picture needs before the parser is there. */
const tomlObjects = {
  name: "toml-objects",
  enforce: "pre",
  load(id) {
    const [file, query] = id.split("?");
    if (query !== "object") return undefined;
    return `export default ${JSON.stringify(getStaticTOMLValue(parseTOML(readFileSync(file, "utf8"))))}`;
  },
};

/** The page says itself where the module is, so the package's second copy of it is never asked for. */
const noSecondCopy = {
  name: "no-second-copy",
  enforce: "pre",
  load: (id) => (id.endsWith("/intentkey/inline.js") ? `export default ""` : undefined),
};

/** Puts into the page what only the finished build knows: its policy, what runs before the first
 * paint, and the module, which is fetched while the code that uses it is. */
const finished = {
  name: "finished-page",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "_headers", source: HEADERS_FILE });
    this.emitFile({ type: "asset", fileName: "NOTICE.txt", source: readFileSync("../NOTICE", "utf8") });
    this.emitFile({ type: "asset", name: "before-paint.js", source: readFileSync("src/before-paint.js", "utf8") });
  },
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle }) {
      const named = (end) => Object.keys(bundle).find((name) => name.includes(end));
      const head = (tag, attrs) => ({ tag, attrs, injectTo: "head-prepend" });
      return [
        head("meta", { "http-equiv": "Content-Security-Policy", content: META }),
        head("script", { src: `./${named("before-paint")}` }),
        { ...head("link", { rel: "preload", as: "fetch", crossorigin: true, href: `./${named(".wasm")}` }), injectTo: "head" },
      ];
    },
  },
};

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [tomlObjects, noSecondCopy, finished],
  esbuild: { jsxImportSource: "preact" },
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, emptyOutDir: true, license: { fileName: "licenses.md" } },
});
