// Writes policies and keyrings.

import { again, copy, room, scalar, TOO_LARGE, u32 } from "./message.js";
import { countOf, elementsOf, isArray, isBytes, record } from "./plain.js";
import { sourceOf } from "./policy.js";
import { refuse } from "./refuse.js";
import { document, TOO_DEEP } from "./writer.js";

/** The count that stands for one policy for all epochs, or one bare secret. */
const ALONE = 0xffffffff;
/** The most bytes of a secret; 32 are advised. */
const MOST_SECRET = 1 << 16;
/** What an entry of a keyring takes beside its texts and its secret. */
const ENTRY_ROOM = 64;

const DATED = ["fromEpoch", "policy"];
const ENTRY = ["id", "fromEpoch", "secret", "tenant", "tenantSecret"];
const OPTIONS = ["insecureMasterSecretInPage"];

const KEYRING =
  "a keyring is a Uint8Array, or a list of { id, fromEpoch, secret } or of { id, fromEpoch, tenant, tenantSecret }, each secret a Uint8Array";
const IN_PAGE =
  "a page gets no master secret: whoever sees it can enumerate every key. Record a UUID, derive at the server, or hold this user's own tenant secret";

/** Writes a policy, or policies with the epochs from which they are in force. */
export function policies(value) {
  if (!isList(value)) {
    u32(ALONE);
    return policy(value);
  }
  const entries = elementsOf(value) ?? refuse("policy_invalid");
  u32(entries.length);
  entries.forEach((entry, index) => {
    const [fromEpoch, held, unknown] = record(entry, DATED) ?? [undefined, undefined, null];
    if (unknown !== undefined) {
      const name = unknown === null ? "" : `.${unknown.replace(/[.[\]\\]/g, "\\$&")}`;
      refuse("policy_invalid", `[${index}]${name}`, "takes exactly fromEpoch and policy");
    }
    scalar(fromEpoch);
    policy(held);
  });
}

/** Writes a policy: its JSON text, an object, or a Policy. */
export function policy(value) {
  try {
    const source = sourceOf(value);
    if (source !== undefined) again(source);
    else if (typeof value === "string") scalar(value);
    else document(value);
  } catch (thrown) {
    if (thrown === TOO_LARGE || thrown === TOO_DEEP) refuse("policy_invalid");
    throw thrown;
  }
}

/** Writes a keyring. */
export function keyring(value, options) {
  const isSafe = options === undefined ? !isPage() : mayHoldMasters(options);
  if (isBytes(value)) {
    if (!isSafe) refuse("keyring_invalid", undefined, IN_PAGE);
    u32(ALONE);
    secret(value);
    return;
  }
  const entries = (elementsOf(value) ?? invalid()).map(entryOf);
  if (!isSafe && entries.some((entry) => entry.tenant === null)) refuse("keyring_invalid", undefined, IN_PAGE);
  // All at once: room that is made later would leave a copy of the secrets before it behind.
  room(entries.reduce((sum, { id, tenant, held }) => sum + ENTRY_ROOM + 3 * (sizeOf(id) + sizeOf(tenant)) + countOf(held), 4));
  u32(entries.length);
  for (const { id, fromEpoch, tenant, held } of entries) {
    scalar(id);
    scalar(fromEpoch);
    scalar(tenant);
    secret(held);
  }
}

function entryOf(value) {
  const [id, fromEpoch, master, tenant, ofTenant, unknown] = record(value, ENTRY) ?? invalid();
  const held = tenant === undefined ? master : ofTenant;
  const other = tenant === undefined ? ofTenant : master;
  if (unknown !== undefined || other !== undefined || !isBytes(held)) invalid();
  return { id, fromEpoch, tenant: tenant === undefined ? null : tenant, held };
}

const invalid = () => refuse("keyring_invalid", undefined, KEYRING);
const sizeOf = (value) => (typeof value === "string" ? value.length : 0);

function secret(value) {
  const count = countOf(value);
  if (count > MOST_SECRET) refuse("keyring_invalid", undefined, "a secret has at most 65536 bytes; 32 are advised");
  copy(value, count);
}

function mayHoldMasters(options) {
  const [insecure, unknown] = record(options, OPTIONS) ?? [undefined, null];
  if (unknown !== undefined || (insecure !== undefined && typeof insecure !== "boolean")) {
    refuse("keyring_invalid", undefined, "the one option is insecureMasterSecretInPage: a boolean");
  }
  return insecure === true || !isPage();
}

/** Whether this runs where whoever opens a page can look: in the page, or in one of its workers. */
function isPage() {
  const { Deno, document, WorkerLocation } = globalThis;
  return document !== undefined || (WorkerLocation !== undefined && Deno === undefined);
}

function isList(value) {
  try {
    return isArray(value);
  } catch {
    return false;
  }
}
