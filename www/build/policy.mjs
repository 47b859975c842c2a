// The page's content security policy: what it may load, and from where.

/** Nothing but the page's own files; `wasm-unsafe-eval` lets it compile the module, and no more. */
const DIRECTIVES = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** As the page itself says it. */
export const META = DIRECTIVES.join("; ");

/** As a header says it: a page cannot say of itself who may frame it. */
export const HEADER = [...DIRECTIVES, "frame-ancestors 'none'"].join("; ");

/** `_headers`, as static hosts read it: who serves the page sends these. */
export const HEADERS_FILE = `/*
  Content-Security-Policy: ${HEADER}
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Cross-Origin-Opener-Policy: same-origin
  Permissions-Policy: camera=(), geolocation=(), microphone=()
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;
