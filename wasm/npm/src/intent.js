// Writes intents.

import { rootAt } from "./guide.js";
import { at, byte, scalar, takeBack, text, TOO_LARGE } from "./message.js";
import { record } from "./plain.js";
import { refuse } from "./refuse.js";
import { payload as writePayload, TOO_DEEP } from "./writer.js";

// The forms of an intent: see `request.rs`.
const VALUE = 0;
const JSON_PAYLOAD = 1;
const WHOLE_TEXT = 2;

/** The members of an intent, in the order in which they are judged; their names in refusals. */
const INTENT = ["tenant", "action", "intentEpoch", "payload"];
const INTENT_FIELDS = ["tenant", "action", "intent_epoch", "payload"];
const RECORDED = ["tenant", "id", "intentEpoch"];
const RECORDED_FIELDS = ["tenant", "id", "intent_epoch"];

const NOT_TEXT = "the payload of deriveJson is JSON text: a string";

/** Writes an intent whose payload is an object. */
export function intent(value, guide) {
  const members = record(value, INTENT) ?? refuse("intent_invalid");
  byte(VALUE);
  limited(writeMembers, members, guide);
  judge(members, INTENT, INTENT_FIELDS);
}

function writeMembers(members, guide) {
  head(members);
  if (members[3] !== undefined) writePayload(members[3], rootAt(guide, members[2]));
}

/** Writes an intent whose payload is JSON text, or that is JSON text itself. */
export function jsonIntent(value) {
  if (typeof value === "string") {
    byte(WHOLE_TEXT);
    limited(jsonText, value);
    return;
  }
  const members = record(value, INTENT) ?? refuse("intent_invalid");
  const payload = members[3];
  byte(JSON_PAYLOAD);
  limited(head, members);
  if (typeof payload === "string") limited(jsonText, payload);
  judge(members, INTENT, INTENT_FIELDS);
  if (typeof payload !== "string") refuse("intent_invalid", "payload", NOT_TEXT);
}

/** Writes an intent that was recorded under an id. */
export function recorded(value) {
  const members = record(value, RECORDED) ?? refuse("intent_invalid");
  limited(head, members);
  judge(members, RECORDED, RECORDED_FIELDS);
}

function head(members) {
  scalar(members[0]);
  scalar(members[1]);
  scalar(members[2]);
}

/** Refuses what is missing, then what is unknown. */
function judge(members, names, fields) {
  for (let index = 0; index < names.length; index++) {
    if (members[index] === undefined) refuse("intent_invalid", fields[index]);
  }
  const unknown = members[names.length];
  if (unknown !== undefined) refuse("intent_invalid", unknown);
}

/** Writes what may pass a limit. */
function limited(write, value, guide) {
  try {
    write(value, guide);
  } catch (thrown) {
    if (thrown === TOO_LARGE || thrown === TOO_DEEP) refuse(thrown.code);
    throw thrown;
  }
}

/** JSON text, in which a lone surrogate that stands there as such becomes its escape: core then
 * sees where it is. Behind a backslash it makes the text malformed, as does a control. */
function jsonText(string) {
  const from = at;
  if (text(string) >= 0) return;
  takeBack(from);
  text(
    string.replace(/(\\*)(\p{Surrogate})/gu, (_, backslashes, unit) =>
      backslashes.length % 2 ? "\0" : `${backslashes}\\u${unit.charCodeAt(0).toString(16)}`,
    ),
  );
}
