/**
 * intentkey: the same intent gets the same idempotency key, wherever and however often it is
 * attempted.
 *
 * Every runtime uses it alike: `await init()` once, then everything else is synchronous. In Node,
 * Deno, Bun and Cloudflare workers `init()` has nothing left to do.
 */

/** Where the module comes from, when not from beside the package's code. */
export type ModuleSource = WebAssembly.Module | BufferSource | string | URL;

/**
 * Makes the module ready. Once is enough; more do no harm.
 *
 * In a browser the module is fetched from beside the package's code; where a bundler has left it
 * behind, a copy inside the bundle is used.
 */
export function init(source?: ModuleSource): Promise<void>;

/** A value of a payload: what JSON has, and BigInts, Maps and `undefined` beside it. */
export type PayloadValue =
  | string
  | number
  /** Counts as its exact decimal digits, for the rules `decimal` and `integer`. */
  | bigint
  | boolean
  | null
  /** Absent; in a list it is refused. */
  | undefined
  | readonly PayloadValue[]
  | Payload;

/** The fields of an intent: a plain object or a Map. */
export type Payload = { readonly [name: string]: PayloadValue } | ReadonlyMap<string, PayloadValue>;

/** What somebody wants done, once. */
export interface Intent {
  /** Whose intent it is; not empty. On a server it comes from authentication. */
  readonly tenant: string;
  /** One of the policy's actions. */
  readonly action: string;
  /** The second at which it was decided, since 1970: frozen with the intent, not the attempt's clock. */
  readonly intentEpoch: number;
  /**
   * Its fields. Read are own, enumerable data properties of plain objects, dense arrays and Maps
   * with string keys; all else (accessors, dates, class instances) is refused as `field_type`.
   * Nothing is read at ignored paths. An `interface` goes in as well as a type alias does.
   */
  readonly payload: Payload | object;
}

/** An intent whose payload is JSON text, in which repeated names are still visible. */
export interface JsonIntent {
  readonly tenant: string;
  readonly action: string;
  readonly intentEpoch: number;
  /** JSON text: an object. */
  readonly payload: string;
}

/** An intent that was recorded under an id before its first attempt. */
export interface RecordedIntent {
  readonly tenant: string;
  /** The id under which it was recorded; not empty. */
  readonly id: string;
  readonly intentEpoch: number;
}

/** A key that an intent derives to. */
export interface DerivedKey {
  /** The idempotency key, which travels. */
  key: string;
  /** The bucket of the intent's epoch. */
  bucket: number;
  /** The id of the secret in force at that bucket. */
  secretId: string;
  /** The second key of an intent near a bucket's edge. */
  edge?: EdgeKey;
}

/** The second key of an intent near a bucket's edge: producers on both sides derive the same one. */
export interface EdgeKey {
  key: string;
  secretId: string;
}

/** What an intent derives to. */
export interface Derived {
  /** The idempotency key, which travels. */
  key: string;
  /** 64 hex digits over identity and checked fields, which stay in the store. */
  fingerprint: string;
  /** The bucket of the intent's epoch. */
  bucket: number;
  /** The id of the secret in force at that bucket. */
  secretId: string;
  /** The second key of an intent near a bucket's edge. */
  edge?: Edge;
}

/** The second key of an intent near a bucket's edge, with its fingerprint. */
export interface Edge {
  key: string;
  fingerprint: string;
  secretId: string;
}

/** What became of one field. */
export interface ExplainedField {
  /** The field, as a path with indexes. */
  field: string;
  class: "identity" | "checked" | "ignored";
  /** The kind of its value as given; left out where it is absent or ignored. */
  kind?: string;
  /** The name of its rule; left out for an ignored field. */
  rule?: string;
  /** Its canonical form; left out where it counts as absent or is ignored. */
  canonical?: string;
}

/** A derivation with all that led to it. It holds the payload's values: log it nowhere. */
export interface Explanation {
  key: string;
  fingerprint: string;
  bucket: number;
  secretId: string;
  /** What was MACed for the key. */
  material: string;
  edge?: ExplainedEdge;
  /** Every field that the policy declares or the payload has, in walking order. */
  fields: ExplainedField[];
}

/** The second key of an explained intent. */
export interface ExplainedEdge extends Edge {
  /** What was MACed for it. */
  material: string;
}

/** What two producers compare to see that they agree before money moves. */
export interface Handshake {
  policies: PolicyCheck[];
  secrets: SecretCheck[];
  /** The version of Unicode that text is pinned to. */
  unicode: string;
  /** The date of the list of ISO 4217 that currencies are judged by. */
  currencies: string;
}

/** A policy of a handshake. */
export interface PolicyCheck {
  /** For people; it may differ. */
  name: string;
  /** From when it is in force; left out for all epochs. */
  fromEpoch?: number;
  /** 64 hex digits over all that decides keys, fingerprints and refusals. */
  digest: string;
}

/** A secret of a handshake. */
export interface SecretCheck {
  id: string;
  /** The tenant whose secret it is, where it is a tenant's. */
  tenant?: string;
  /** The first 8 hex digits of HMAC-SHA256(secret, `intentkey check v1`). */
  check: string;
}

/** The material of an intent: what is MACed elsewhere, and with which epoch's secret. */
export interface Material {
  bytes: Uint8Array<ArrayBuffer>;
  /** The first second of the intent's bucket, since 1970. */
  bucketStart: number;
  /** The same for the edge key, where the intent is near a bucket's edge. */
  edge?: EdgeMaterial;
}

/** The material of the edge key. */
export interface EdgeMaterial {
  bytes: Uint8Array<ArrayBuffer>;
  bucketStart: number;
}

/** A policy as an object: the JSON schema of policies. */
export interface PolicyDocument {
  readonly name: string;
  /** A closed list, compared exactly. */
  readonly actions: readonly string[];
  /** 0: one bucket for all time. */
  readonly bucket_seconds: number;
  /** At most half a bucket. */
  readonly edge_seconds?: number;
  readonly key?: {
    readonly format?: "hex" | "base64url" | "uuid" | "uuid4";
    /** Characters: hex 32 to 64, base64url 22 to 43. */
    readonly length?: number;
    readonly scope?: "all" | "tenant";
    readonly destinations?: readonly string[];
  };
  /** In the key and in the fingerprint, by path. */
  readonly identity: { readonly [path: string]: FieldDocument };
  /** In the fingerprint only, by path. */
  readonly checked?: { readonly [path: string]: FieldDocument };
  /** In neither, each with the reason why. */
  readonly ignored?: { readonly [path: string]: string };
  readonly lists?: { readonly [path: string]: { readonly order?: "matters" | "any" } };
  readonly retention?: {
    readonly ttl_seconds?: number;
    readonly callers?: { readonly [caller: string]: number | "unmeasured" } | "unmeasured";
  };
}

/** A field of a policy. */
export type FieldDocument = {
  readonly required?: boolean;
  readonly null?: "absent";
  readonly empty?: "keep" | "absent" | "refuse";
} & (
  | {
      readonly rule: "text";
      readonly form?: "canonical" | "nfc_first";
      readonly case?: "fold" | "keep";
      readonly space?: "trim" | "collapse" | "keep";
    }
  | { readonly rule: "exact" | "identifier" | "email" | "phone" | "uuid" | "digits" }
  | { readonly rule: "integer" | "currency" | "boolean" | "date" }
  | {
      readonly rule: "pix_key";
      readonly check_digits?: boolean;
      readonly kinds?: readonly ("cpf" | "cnpj" | "phone" | "email" | "random")[];
    }
  | {
      readonly rule: "decimal";
      readonly scale?: number | "currency";
      readonly currency_field?: string;
      readonly rounding?: "half_up" | "half_even" | "refuse";
    }
  | { readonly rule: "enum"; readonly values: readonly string[]; readonly case?: "keep" | "fold" }
  | { readonly rule: "timestamp"; readonly precision?: "second" | "milli" | "micro" }
);

/** A policy: an object, JSON text, or one that was read already. */
export type PolicySource = PolicyDocument | string | Policy;

/** A policy and the first second from which it is in force. */
export interface DatedPolicy {
  readonly fromEpoch: number;
  readonly policy: PolicySource;
}

/** A master secret on a keyring. */
export interface MasterSecret {
  /** What it is called in results; not empty. */
  readonly id: string;
  /** The first second from which it is used, since 1970. */
  readonly fromEpoch: number;
  /** At least 16 bytes; 32 random ones are advised. It is copied, and the copy wiped. */
  readonly secret: Uint8Array;
}

/** One tenant's secret on a keyring, for policies with `scope: "tenant"`. */
export interface TenantSecret {
  readonly id: string;
  readonly fromEpoch: number;
  readonly tenant: string;
  /** HMAC-SHA256(master secret, `intentkey tenant v1` 0x00 tenant). */
  readonly tenantSecret: Uint8Array;
}

/** A bare secret, which serves all epochs; or secrets over time. */
export type Keyring = Uint8Array | readonly MasterSecret[] | readonly TenantSecret[];

export interface DeriverOptions {
  /**
   * Lets a page hold a master secret. Whoever opens the page can then enumerate every key: for
   * playgrounds only.
   */
  readonly insecureMasterSecretInPage?: boolean;
}

export interface BatchOptions {
  /** `false` leaves fingerprints out, which is faster. */
  readonly fingerprints?: boolean;
}

/** Derives keys: policies and secrets. */
export class Deriver {
  /**
   * @param policies one policy (as JSON text also a list of `{"from_epoch", "policy"}`), or
   *   policies over time
   * @throws {IntentKeyError} `policy_invalid`, `keyring_invalid`, `secret_weak`
   */
  constructor(policies: PolicySource | readonly DatedPolicy[], keyring: Keyring, options?: DeriverOptions);
  /**
   * The key and the fingerprint of an intent.
   * @throws {IntentKeyError}
   */
  derive(intent: Intent): Derived;
  /**
   * The key alone: what a producer needs. The refusals are those of `derive`.
   * @throws {IntentKeyError}
   */
  deriveKey(intent: Intent): DerivedKey;
  /**
   * As `derive`, from a payload that is JSON text, or from an intent that is JSON text as a
   * whole: an object with exactly `tenant`, `action`, `intent_epoch` and `payload`.
   * @throws {IntentKeyError}
   */
  deriveJson(intent: JsonIntent | string): Derived;
  /** Derives many intents, each by itself: what is refused stands in its place. */
  deriveBatch(intents: readonly Intent[], options: { readonly fingerprints: false }): (DerivedKey | IntentKeyError)[];
  deriveBatch(intents: readonly Intent[], options?: BatchOptions): (Derived | IntentKeyError)[];
  /**
   * The fingerprint alone, for an intent whose key was recorded.
   * @throws {IntentKeyError}
   */
  fingerprint(intent: Intent): string;
  /**
   * Derives an intent and shows how, field by field.
   * @throws {IntentKeyError}
   */
  explain(intent: Intent): Explanation;
  /**
   * The key of a recorded intent, from its id and never from fields.
   * @throws {IntentKeyError}
   */
  keyFromId(intent: RecordedIntent): string;
  /** What this deriver derives with: safe to log and to send. */
  handshake(): Handshake;
  /** Gives the memory back and wipes the secrets in it. Without it, that happens some time after
   * the last reference is gone. */
  free(): void;
  [Symbol.dispose](): void;
}

/** A policy alone, for MACs that are made elsewhere: by a WebCrypto key, a KMS or an HSM. */
export class Policy {
  /** @throws {IntentKeyError} `policy_invalid` */
  constructor(policy: PolicySource);
  /** For people. */
  readonly name: string;
  /** 64 hex digits over all that decides keys, fingerprints and refusals. */
  readonly digest: string;
  /**
   * The material of an intent; no secret is needed. HMAC-SHA256 over its bytes, keyed with the
   * secret in force at `bucketStart` (with `scope: "tenant"` the tenant's), is what `keyFromMac`
   * takes. A server never MACs material that a client sends.
   * @throws {IntentKeyError}
   */
  material(intent: Intent): Material;
  /** The key that a MAC over material gives: 32 bytes. */
  keyFromMac(mac: ArrayBuffer | Uint8Array): string;
  /** Gives the memory back. */
  free(): void;
  [Symbol.dispose](): void;
}

/** The UUID (version 4) of 16 random bytes, for an intent that is recorded with its key before
 * the first attempt: `recordedKey(crypto.getRandomValues(new Uint8Array(16)))`. */
export function recordedKey(random: Uint8Array): string;

/** Why something was refused. Codes only ever get added. */
export type Code =
  | "policy_invalid"
  | "policy_missing_for_epoch"
  | "keyring_invalid"
  | "secret_weak"
  | "json_malformed"
  | "payload_too_large"
  | "payload_too_deep"
  | "intent_invalid"
  | "payload_not_object"
  | "tenant_empty"
  | "tenant_not_held"
  | "action_unknown"
  | "epoch_invalid"
  | "epoch_in_milliseconds"
  | "field_duplicate"
  | "text_not_unicode"
  | "field_unclassified"
  | "field_missing"
  | "field_null"
  | "field_type"
  | "field_empty"
  | "number_unsafe"
  | "decimal_malformed"
  | "decimal_out_of_range"
  | "decimal_inexact"
  | "currency_unknown"
  | "pix_key_unrecognized"
  | "value_malformed"
  | "value_not_listed"
  | "identity_empty"
  | "secret_missing_for_epoch";

/** A refusal as JSON. */
export interface Refusal {
  code: Code;
  field?: string;
  fields?: string[];
  message: string;
}

/** A refusal. Its message says what to do and never holds a payload's value or a secret. */
export class IntentKeyError extends Error {
  private constructor();
  readonly name: "IntentKeyError";
  readonly code: Code;
  /** The one field concerned, as a path with indexes; left out where there is none. */
  readonly field?: string;
  /** The fields concerned, for `field_unclassified`; left out elsewhere. */
  readonly fields?: string[];
  toJSON(): Refusal;
}
