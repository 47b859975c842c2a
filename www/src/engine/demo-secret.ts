/**
 * INSECURE, and meant to be: everybody who opens the page has it, so the keys of this page protect
 * nothing. A real secret never goes into a page.
 */
export const INSECURE_DEMO_SECRET: Uint8Array = new TextEncoder().encode("insecure demo secret, not secret");

/** The same for a command line. */
export const INSECURE_DEMO_SECRET_HEX = Array.from(INSECURE_DEMO_SECRET, (byte) =>
  byte.toString(16).padStart(2, "0"),
).join("");
