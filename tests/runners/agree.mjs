// Derives every case by every route that the JavaScript package has, and compares: the same bytes
// or the same refusal. Runs in any runtime; `src/cases.rs` says what the lines of the file are.

/** How many disagreements a report shows. */
const SHOWN = 5;

/**
 * @param library what `import * from "intentkey"` gives
 * @param text the file of cases
 * @param options of `new Deriver`
 */
export function agree(library, text, options) {
  const derivers = new Map();
  const disagreements = [];
  let cases = 0;
  let agreed = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const one = JSON.parse(line);
    if (one.intent === undefined) {
      derivers.set(one.deriver, makers(library, one, options));
      continue;
    }
    cases += 1;
    const wrong = disagreement(library, derivers.get(one.deriver), one);
    if (wrong === undefined) agreed += 1;
    else if (disagreements.length < SHOWN) disagreements.push({ id: one.id, ...wrong });
  }
  return { cases, agreed, disagreements };
}

/** Two functions that give the deriver: made from the policy's text, and from a parsed policy. */
function makers({ Deriver }, { policy, as_object, keyring }, options) {
  const ring = keyring.bare === undefined ? keyring.entries.map(entryOf) : bytes(keyring.bare);
  const fromText = once(() => new Deriver(policy, ring, options));
  if (!as_object) return { fromText, fromObject: fromText };
  return { fromText, fromObject: once(() => new Deriver(policiesOf(JSON.parse(policy)), ring, options)) };
}

const entryOf = ({ id, from_epoch, secret_hex, tenant, tenant_secret_hex }) =>
  tenant === undefined
    ? { id, fromEpoch: from_epoch, secret: bytes(secret_hex) }
    : { id, fromEpoch: from_epoch, tenant, tenantSecret: bytes(tenant_secret_hex) };

/** Policies over time have another spelling in JavaScript. */
const policiesOf = (policies) =>
  Array.isArray(policies)
    ? policies.map(({ from_epoch, ...rest }) => (from_epoch === undefined ? rest : { fromEpoch: from_epoch, ...rest }))
    : policies;

const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Calls `make` once; then gives, or throws, the same again. */
function once(make) {
  let made;
  return () => {
    made ??= attempt(make);
    if ("thrown" in made) throw made.thrown;
    return made.value;
  };
}

function attempt(make) {
  try {
    return { value: make() };
  } catch (thrown) {
    return { thrown };
  }
}

/** The first route by which something else came than what was expected. */
function disagreement({ IntentKeyError }, { fromText, fromObject }, one) {
  const expected = spelled(one.expect);
  for (const [route, derive, part] of routes(fromText, fromObject, one)) {
    const { value, thrown } = attempt(derive);
    const error = value instanceof IntentKeyError ? value : thrown;
    let given;
    if (error === undefined) given = spelled(shown(value));
    else if (error instanceof IntentKeyError) given = spelled(refused(error));
    else given = `${error?.name}: ${error?.message}`;
    const wanted = part === undefined || one.expect.error ? expected : spelled(part(one.expect));
    if (given !== wanted) return { route, expected: wanted, given };
  }
  return undefined;
}

function routes(fromText, fromObject, one) {
  const text = ["deriveJson", () => fromText().deriveJson(one.intent)];
  if (!one.as_object) return [text];
  const { intent_epoch, ...rest } = JSON.parse(one.intent);
  const intent = { intentEpoch: intent_epoch, ...rest };
  const routes = [
    text,
    ["derive", () => fromObject().derive(intent)],
    ["deriveKey", () => fromObject().deriveKey(intent), withoutFingerprints],
    ["deriveBatch", () => fromText().deriveBatch([intent])[0]],
  ];
  if (one.intent.length < 10_000) {
    routes.push(["derive, other order", () => fromText().derive(reordered(intent))]);
    const payload = textOf(intent.payload);
    if (payload) routes.push(["deriveJson, payload", () => fromText().deriveJson({ ...intent, payload })]);
  }
  return routes;
}

/** JSON text, unless that would lose something: what was 1e999 would become null. */
function textOf(payload) {
  let isWhole = true;
  const text = JSON.stringify(payload, (_, value) => {
    isWhole &&= typeof value !== "number" || Number.isFinite(value);
    return value;
  });
  return isWhole ? text : undefined;
}

function withoutFingerprints({ fingerprint, edge, ...rest }) {
  return edge === undefined ? rest : { ...rest, edge: withoutFingerprints(edge) };
}

/** The same value, the names of its objects the other way round. */
function reordered(value) {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([name, inner]) => [name, reordered(inner)]));
}

function shown({ secretId, edge, ...rest }) {
  const shownHere = { secret_id: secretId, ...rest };
  if (edge !== undefined) shownHere.edge = shown(edge);
  return shownHere;
}

function refused({ code, field, fields }) {
  const error = { code };
  if (field !== undefined) error.field = field;
  if (fields !== undefined) error.fields = fields;
  return { error };
}

/** JSON with names in order, to compare. */
const spelled = (value) =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
