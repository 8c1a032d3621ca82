-- A recomputation is told when the store has all of it: `settle` waits until the writer has passed the end of the log as it was then.
ALTER TABLE ratings DROP CONSTRAINT IF EXISTS ratings_phase_check;
ALTER TABLE ratings ADD CONSTRAINT ratings_phase_check CHECK (phase IN ('empty', 'fill', 'settle'));
ALTER TABLE ratings ADD COLUMN IF NOT EXISTS settle_sequence bigint;
