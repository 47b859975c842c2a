// Unclassified fields, and a way to classify each.

import type { Refusal } from "intentkey";
import { placeOf } from "../editor/json-places";
import { text } from "../page/preferences";
import { type Class, classified } from "../policy/classify";
import { policy } from "../state";
import { WORDS } from "./words";

/** Longer paths were cut by the package, and name nothing. */
const LONGEST = 63;

const CLASSES: readonly Class[] = ["identity", "checked", "ignored"];

export function Classify({ refusal, payload }: { readonly refusal: Refusal; readonly payload: string }) {
  const words = text(WORDS);
  const fields = (refusal.fields ?? []).filter((path) => path.length <= LONGEST);
  if (refusal.code !== "field_unclassified" || fields.length === 0) return null;
  return (
    <div class="classify">
      {fields.map((path) => (
        <div key={path} role="group" aria-label={`${words.classify} ${path}`}>
          <code>{path}</code>
          {CLASSES.map((into) => (
            <button type="button" key={into} data-into={into} onClick={() => put(path, payload, into)}>
              {words.classes[into]}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

function put(path: string, payload: string, into: Class): void {
  const { from, to } = placeOf(payload, path);
  const literal = payload.slice(from, to);
  const kind = /^"/.test(literal) ? "string" : /^[-\d]/.test(literal) ? "number" : /^[tf]/.test(literal) ? "boolean" : "other";
  policy.value = { ...policy.peek(), text: classified(policy.peek(), path, kind, into) };
}
