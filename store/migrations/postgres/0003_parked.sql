-- Recorded intents that can never be executed as they are: they are left to people, and not leased again.
ALTER TABLE intentkey_recorded ADD COLUMN parked text CHECK (parked IN ('payload_conflict', 'too_late'));
