-- Up to where a partition was applied before the newest messages: they may come in groups of which some were known.
ALTER TABLE partition_progress ADD COLUMN IF NOT EXISTS previous_sequence bigint NOT NULL DEFAULT 0;
