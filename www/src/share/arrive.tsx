// What the address brings along.

import { signal } from "@preact/signals";
import { text } from "../page/preferences";
import { show } from "../state";
import { typedIn } from "./fragment";
import { WORDS } from "./words";

/** The places of the page that an address may name. */
const SECTIONS = new Set(["", "#top", "#page", "#time", "#collide", "#policy", "#share"]);

const isRefused = signal(false);

/** Shows what the address carries, or says that it carries nothing that can be read. */
export async function arrive(): Promise<void> {
  const { hash } = location;
  if (SECTIONS.has(hash)) return;
  const typed = await typedIn(hash);
  isRefused.value = typed === undefined;
  if (typed !== undefined) show(typed);
}

export function Arrival() {
  const words = text(WORDS);
  if (!isRefused.value) return null;
  return (
    <div class="arrival" role="alert">
      <p>{words.refused}</p>
      <button type="button" class="quiet" onClick={() => (isRefused.value = false)}>{words.close}</button>
    </div>
  );
}
