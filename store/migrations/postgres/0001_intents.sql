-- One row for each intent, and one for each edge key, which points to its intent's row. Both are in
-- one table, so that its primary key is the one unique index that decides who owns an effect.
--
-- Headers and bodies are bytes: jsonb reorders members, drops duplicates and refuses \u0000.
-- Times are clock_timestamp(), cut to milliseconds, and never a client's.
CREATE TABLE intentkey_intents (
    key               text COLLATE "C" NOT NULL PRIMARY KEY,
    owner_key         text COLLATE "C",               -- of an edge key: the key of its intent
    edge_key          text,                           -- of an intent: its edge key
    fingerprint       bytea NOT NULL,
    tenant            text NOT NULL,
    action            text,
    destination       text,
    status            text NOT NULL
                      CHECK (status IN ('in_flight', 'done', 'released', 'unsettled', 'edge')),
    response_code     integer,
    response_headers  bytea,
    response_body     bytea,
    created_at        timestamptz NOT NULL,
    claimed_at        timestamptz,                    -- since when an effect may have happened
    expires_at        timestamptz,
    owner_token       bytea,
    execute_by        timestamptz,
    uncertain         boolean NOT NULL DEFAULT false, -- taken over while unknown
    recovery_attempts integer NOT NULL DEFAULT 0,
    next_look_at      timestamptz,
    CHECK ((status = 'edge') = (owner_key IS NOT NULL)),
    CHECK (status = 'edge' OR (action IS NOT NULL AND destination IS NOT NULL AND claimed_at IS NOT NULL
        AND expires_at IS NOT NULL AND owner_token IS NOT NULL AND execute_by IS NOT NULL
        AND next_look_at IS NOT NULL)),
    CHECK ((status = 'done') = (response_code IS NOT NULL AND response_headers IS NOT NULL
        AND response_body IS NOT NULL))
);

-- Every index costs every claim, so there are two. What is open: what recovery looks at, and what
-- operators look for. Rows leave it as they are settled, so it stays small.
CREATE INDEX intentkey_open ON intentkey_intents (status, destination, next_look_at)
    WHERE status IN ('in_flight', 'released', 'unsettled');
-- What the sweep deletes.
CREATE INDEX intentkey_expired ON intentkey_intents (expires_at) WHERE status = 'done';
