-- When the message came to the log, Unix ms by the broker's clock; NULL: an earlier release has kept the entry.
ALTER TABLE waiting_entries ADD COLUMN message_ms bigint;

-- The same as time_ms: nothing is judged where the store says what is kept. An earlier release that adds a reason of its own changes
-- time_ms alone.
ALTER TABLE judgements ADD COLUMN check_ms bigint;
