import { open } from "./guide.js";
import { intent } from "./intent.js";
import { at, begin, byte, copy, end, send } from "./message.js";
import { bytes, exchange, json } from "./module.js";
import { policy as writePolicy } from "./policies.js";
import { key } from "./results.js";

const encoder = new TextEncoder();

/** What a Policy was made of, as a message has it; undefined for anything else. */
export let sourceOf;

/** How many bytes an HMAC-SHA256 has. */
const MAC = 32;

const material = (engine, from, to) => engine.material(exchange, from, to);
const keyFromMac = (engine, from, to) => engine.keyFromMac(exchange, from, to);

/** A policy alone, for MACs that are made elsewhere. */
export class Policy {
  static name = "Policy";
  #engine;
  #guide;
  #source;

  constructor(policy) {
    const outer = begin();
    try {
      byte(0);
      const from = at;
      writePolicy(policy);
      this.#source = bytes.slice(from, at);
      ({ engine: this.#engine, guide: this.#guide } = open());
    } finally {
      end(outer);
    }
  }

  get name() {
    return this.#guide.name;
  }

  get digest() {
    return this.#guide.digest;
  }

  material(value) {
    const outer = begin();
    try {
      intent(value, this.#guide);
      const { edge, ...made } = json(send(material, this.#engine ?? freed()));
      return edge ? { ...encoded(made), edge: encoded(edge) } : encoded(made);
    } finally {
      end(outer);
    }
  }

  keyFromMac(mac) {
    const isView = ArrayBuffer.isView(mac);
    const held = isView ? new Uint8Array(mac.buffer, mac.byteOffset, mac.byteLength) : new Uint8Array(mac);
    if (held.length !== MAC) throw new TypeError("a MAC has 32 bytes");
    const outer = begin();
    try {
      copy(held, MAC);
      send(keyFromMac, this.#engine ?? freed());
      return key();
    } finally {
      end(outer);
    }
  }

  free() {
    this.#engine?.free();
    this.#engine = undefined;
  }

  static {
    sourceOf = (value) =>
      typeof value === "object" && value !== null && #source in value ? value.#source : undefined;
  }
}

const encoded = ({ bytes, bucketStart }) => ({ bytes: encoder.encode(bytes), bucketStart });

export function freed() {
  throw new TypeError("this was freed: it derives nothing any more");
}

if (Symbol.dispose) Policy.prototype[Symbol.dispose] = Policy.prototype.free;
