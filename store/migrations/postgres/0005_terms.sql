-- What the destination was declared to be when the effect may have been sent, in milliseconds: for how long
-- it honours keys, and for how long a request may be under way where it can be asked. -1: not declared; NULL:
-- claimed before there were these columns. Nothing is rewritten, so rows in flight are not held up.
ALTER TABLE intentkey_intents ADD COLUMN key_retention_ms bigint, ADD COLUMN longest_delay_ms bigint;

-- Each settlement leaves a dead entry in the small index of open rows, and recovery walks over those that no
-- vacuum has removed. A fifth of the whole table, the server's default, would be millions of them.
ALTER TABLE intentkey_intents SET (autovacuum_vacuum_scale_factor = 0.05);
