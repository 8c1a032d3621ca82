-- Entries of the ingest log that a series waits with, in their order: the first needs what only historic can say, those behind it
-- need the first. Other series go on.
CREATE TABLE waiting_entries (
  partition int NOT NULL,
  log_sequence bigint NOT NULL,
  -- Index in the message; of a column that spans messages, that of its last part.
  entry int NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  -- An ingest batch with this entry alone; a column that spanned messages is whole.
  data bytea NOT NULL,
  -- Its write mode depends on records that were there: column_verdicts says what was written.
  needs_verdict boolean NOT NULL,
  since_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, log_sequence, entry)
);
CREATE INDEX waiting_entries_by_node ON waiting_entries (node_id, log_sequence, entry);

-- What historic said of such columns (proto ColumnSettled); often before the log's reader gets there.
CREATE TABLE column_verdicts (
  partition int NOT NULL,
  log_sequence bigint NOT NULL,
  entry int NOT NULL,
  written bytea NOT NULL,
  stored_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, log_sequence, entry)
);
CREATE INDEX column_verdicts_by_time ON column_verdicts (stored_time);

-- Up to here all has been said: what has no verdict gets none any more (an earlier release of historic, a lost message).
ALTER TABLE progress ADD COLUMN told_sequence bigint NOT NULL DEFAULT 0;
