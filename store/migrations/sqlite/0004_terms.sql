-- What the destination was declared to be when the effect may have been sent, in milliseconds: for how long
-- it honours keys, and for how long a request may be under way where it can be asked. -1: not declared; NULL:
-- claimed before there were these columns. Adding columns rewrites nothing.
ALTER TABLE intentkey_intents ADD COLUMN key_retention_ms integer;
ALTER TABLE intentkey_intents ADD COLUMN longest_delay_ms integer;
