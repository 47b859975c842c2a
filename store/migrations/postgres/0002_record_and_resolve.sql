-- For people: which secret and which policy made a key. Adding columns without a default rewrites
-- nothing, so rows in flight are not held up.
ALTER TABLE intentkey_intents ADD COLUMN secret_id text, ADD COLUMN policy_digest text;

-- Intents that were written down before their first attempt, also as an outbox. A row goes when its
-- intent is done.
CREATE TABLE intentkey_recorded (
    key              text COLLATE "C" NOT NULL PRIMARY KEY,
    fingerprint      bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    edge_key         text COLLATE "C",
    edge_fingerprint bytea CHECK (octet_length(edge_fingerprint) = 32),
    tenant           text NOT NULL,
    action           text NOT NULL,
    destination      text NOT NULL,
    epoch_seconds    bigint,                             -- of a derived intent
    ends_seconds     bigint,                             -- when its last bucket ends
    ttl_millis       bigint NOT NULL,
    secret_id        text,
    policy_digest    text,
    request          bytea NOT NULL,
    recorded_at      timestamptz NOT NULL,
    next_attempt_at  timestamptz NOT NULL,
    CHECK ((edge_key IS NULL) = (edge_fingerprint IS NULL))
);
CREATE INDEX intentkey_resumable ON intentkey_recorded (destination, next_attempt_at);

-- Who resolved what, and why. Nothing ever deletes from it.
CREATE TABLE intentkey_resolutions (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key        text COLLATE "C" NOT NULL,
    resolution text NOT NULL CHECK (resolution IN ('found', 'never_happened')),
    resolved_by text NOT NULL,
    note       text NOT NULL,
    resolved_at timestamptz NOT NULL
);
CREATE INDEX intentkey_resolutions_key ON intentkey_resolutions (key);
