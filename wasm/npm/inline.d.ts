/** The module as base64: what `init()` falls back to. */
declare const base64: string;
export default base64;
