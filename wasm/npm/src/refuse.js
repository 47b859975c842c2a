// What the glue itself refuses, in core's words.

import { at, scalar, send, takeBack, text } from "./message.js";
import { exchange } from "./module.js";

/** Throws the refusal with a code, a field, and a message of its own. */
export function refuse(code, field, message) {
  const from = at;
  text(code);
  scalar(field);
  scalar(message);
  try {
    send((_engine, _from, end) => exchange.refuse(from, end));
  } finally {
    takeBack(from);
  }
}
