import { IntentKeyError } from "./error.js";
import { open } from "./guide.js";
import { intent, jsonIntent, recorded } from "./intent.js";
import { at, back, begin, byte, end, next, origin, send, setU32, takeBack, u32 } from "./message.js";
import { bytes, exchange, json, SLOTS } from "./module.js";
import { isArray } from "./plain.js";
import { keyring as writeKeyring, policies as writePolicies } from "./policies.js";
import { freed } from "./policy.js";
import { derived, derivedKey, fingerprint, key, turnTo } from "./results.js";

/** As many bytes of intents are sent together at most, but for the last one's. */
const MOST_TOGETHER = 1 << 16;

// What is asked of an engine.
const askKey = (engine, from, to) => engine.deriveKey(exchange, from, to);
const askDerived = (engine, from, to) => engine.derive(exchange, from, to);
const askFingerprint = (engine, from, to) => engine.fingerprint(exchange, from, to);
const askExplanation = (engine, from, to) => engine.explain(exchange, from, to);
const askKeyFromId = (engine, from, to) => engine.keyFromId(exchange, from, to);
const askHandshake = (engine) => engine.handshake(exchange);

const nothing = () => {};
const asJson = (_guide, length) => json(length);

/** What a call gives, or the refusal that it throws. */
function outcomeOf(call) {
  try {
    return call();
  } catch (thrown) {
    if (thrown instanceof IntentKeyError) return thrown;
    throw thrown;
  }
}

/** Derives keys. */
export class Deriver {
  static name = "Deriver";
  #engine;
  #guide;

  constructor(policies, keyring, options) {
    const outer = begin();
    try {
      byte(1);
      writePolicies(policies);
      writeKeyring(keyring, options);
      ({ engine: this.#engine, guide: this.#guide } = open());
    } finally {
      // Secrets were written here.
      bytes.fill(0, origin, at);
      end(outer);
    }
  }

  derive(value) {
    return this.#ask(intent, value, askDerived, derived);
  }

  deriveKey(value) {
    return this.#ask(intent, value, askKey, derivedKey);
  }

  deriveJson(value) {
    return this.#ask(jsonIntent, value, askDerived, derived);
  }

  deriveBatch(values, options) {
    if (!isArray(values)) throw new TypeError("a batch is a list of intents");
    const isKeysAlone = options?.fingerprints === false;
    const results = [];
    while (results.length < values.length) this.#some(values, isKeysAlone, results);
    return results;
  }

  /** Derives some of a batch: as many as there are slots, or fewer large ones. */
  #some(values, isKeysAlone, results) {
    const first = results.length;
    // Which of them lie in a slot; what is refused while it is written lies in none.
    const sent = [];
    const outer = begin();
    const start = origin;
    try {
      u32(0);
      while (sent.length < SLOTS && results.length < values.length && at - start < MOST_TOGETHER) {
        if (!(results.length in values)) throw new TypeError("a batch is a list without holes");
        next();
        const refusal = outcomeOf(() => intent(values[results.length], this.#guide));
        if (refusal === undefined) sent.push(results.length);
        else takeBack(origin);
        results.push(refusal);
      }
      back(start);
      setU32(start, sent.length);
      send((engine, from, to) => engine.deriveBatch(exchange, from, to, isKeysAlone), this.#engine ?? freed());
      const read = isKeysAlone ? derivedKey : derived;
      for (let slot = 0; slot < sent.length; slot++) {
        if (turnTo(slot)) results[sent[slot]] = read(this.#guide);
      }
    } finally {
      turnTo(0);
      back(start);
      end(outer);
    }
    for (let index = first; index < results.length; index++) {
      results[index] ??= outcomeOf(() => (isKeysAlone ? this.deriveKey(values[index]) : this.derive(values[index])));
    }
  }

  fingerprint(value) {
    return this.#ask(intent, value, askFingerprint, fingerprint);
  }

  explain(value) {
    return this.#ask(intent, value, askExplanation, asJson);
  }

  keyFromId(value) {
    return this.#ask(recorded, value, askKeyFromId, key);
  }

  handshake() {
    return this.#ask(nothing, undefined, askHandshake, asJson);
  }

  free() {
    this.#engine?.free();
    this.#engine = undefined;
  }

  /** Writes a message, sends it, and reads what it gives. */
  #ask(write, value, call, read) {
    const outer = begin();
    try {
      const guide = this.#guide;
      write(value, guide);
      // A proxy that was read may have freed the engine meanwhile.
      const length = send(call, this.#engine ?? freed());
      return read(guide, length);
    } finally {
      end(outer);
    }
  }
}

if (Symbol.dispose) Deriver.prototype[Symbol.dispose] = Deriver.prototype.free;
