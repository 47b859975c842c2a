-- For people: which secret and which policy made a key. Adding columns rewrites nothing.
ALTER TABLE intentkey_intents ADD COLUMN secret_id text;
ALTER TABLE intentkey_intents ADD COLUMN policy_digest text;

-- Intents that were written down before their first attempt, also as an outbox. A row goes when its
-- intent is done.
CREATE TABLE intentkey_recorded (
    key              text NOT NULL PRIMARY KEY,
    fingerprint      blob NOT NULL CHECK (length(fingerprint) = 32),
    edge_key         text,
    edge_fingerprint blob CHECK (length(edge_fingerprint) = 32),
    tenant           text NOT NULL,
    action           text NOT NULL,
    destination      text NOT NULL,
    epoch_seconds    integer,                             -- of a derived intent
    ends_seconds     integer,                             -- when its last bucket ends
    ttl_millis       integer NOT NULL,
    secret_id        text,
    policy_digest    text,
    request          blob NOT NULL,
    recorded_at      integer NOT NULL,
    next_attempt_at  integer NOT NULL,
    CHECK ((edge_key IS NULL) = (edge_fingerprint IS NULL))
) STRICT;
CREATE INDEX intentkey_resumable ON intentkey_recorded (destination, next_attempt_at);

-- Who resolved what, and why. Nothing ever deletes from it.
CREATE TABLE intentkey_resolutions (
    id         integer PRIMARY KEY,
    key        text NOT NULL,
    resolution text NOT NULL CHECK (resolution IN ('found', 'never_happened')),
    resolved_by text NOT NULL,
    note       text NOT NULL,
    resolved_at integer NOT NULL
) STRICT;
CREATE INDEX intentkey_resolutions_key ON intentkey_resolutions (key);
