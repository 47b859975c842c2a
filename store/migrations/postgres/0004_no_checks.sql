-- The server reads and plans every check of a table anew for each statement that writes a row: these took as
-- long as the insertion itself, a tenth of a claim's whole time, commit included. Only the store writes the
-- table, in statements that name every column; a row that somebody else has written into a shape that
-- cannot be is refused when it is read.
ALTER TABLE intentkey_intents
    DROP CONSTRAINT intentkey_intents_status_check,
    DROP CONSTRAINT intentkey_intents_check,
    DROP CONSTRAINT intentkey_intents_check1,
    DROP CONSTRAINT intentkey_intents_check2;
