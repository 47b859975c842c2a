// What was typed, in the part of the address that no server is sent. Never a secret.

import type { Producer } from "../engine/engine";
import type { Typed } from "../state";

/** Before what a link carries. The letter says how it is written, should that ever change. */
export const PREFIX = "#a=";
/** The longest fragment that is read, in characters: a policy and two payloads are about 3,000. */
const LONGEST = 200_000;
/** The most that it may unpack to, in bytes. */
const MOST = 2_000_000;

/** The fragment for what was typed; undefined where it would be longer than one that is read. */
export async function fragmentOf({ policy, first, second }: Typed): Promise<string | undefined> {
  const text = JSON.stringify([policy.format, policy.text, ...[first, second].map(listed)]);
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const fragment = PREFIX + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return fragment.length > LONGEST || text.length > MOST ? undefined : fragment;
}

/** What a fragment carries; undefined where it carries nothing that this page wrote. */
export async function typedIn(fragment: string): Promise<Typed | undefined> {
  if (!fragment.startsWith(PREFIX) || fragment.length > LONGEST) return undefined;
  try {
    const binary = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return typedOf(JSON.parse(await unpacked(bytes)));
  } catch {
    return undefined;
  }
}

/** The text, unless there is more of it than any link of this page holds. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST) {
      await reader.cancel();
      throw new RangeError("more than a link holds");
    }
  }
}

const listed = ({ tenant, action, epoch, payload }: Producer) => [tenant, action, epoch, payload];

function typedOf(document: unknown): Typed | undefined {
  if (!Array.isArray(document) || document.length !== 4) return undefined;
  const [format, text, ...sides] = document as unknown[];
  const [first, second] = sides.map(producerOf);
  if ((format !== "toml" && format !== "json") || typeof text !== "string" || first === undefined || second === undefined) return undefined;
  return { policy: { format, text: lines(text) }, first, second };
}

function producerOf(side: unknown): Producer | undefined {
  if (!Array.isArray(side) || side.length !== 4 || !side.every((member) => typeof member === "string")) return undefined;
  const [tenant, action, epoch, payload] = side as [string, string, string, string];
  return { tenant, action, epoch, payload: lines(payload) };
}

/** As the editors have their lines. */
const lines = (text: string) => text.replace(/\r\n?/g, "\n");
