-- Entries of the ingest log that a series waits with, in their order: the first needs what only historic can say, those behind it
-- need the first. Other series go on. Removed when they have been evaluated.
CREATE TABLE waiting_entries (
  partition int NOT NULL,
  log_sequence bigint NOT NULL,
  -- Index in the message; of a column that spans messages, that of its last part.
  entry int NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  -- An ingest batch with this entry alone; a column that spanned messages is whole. NULL: the log's reader has not come to it.
  data bytea,
  -- The write mode depends on records that were there: `written` is needed.
  needs_verdict boolean NOT NULL,
  -- Bits of the records that historic says it wrote (proto ColumnSettled). NULL: it has not said it.
  written bytea,
  since_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, log_sequence, entry)
);
CREATE INDEX waiting_entries_by_node ON waiting_entries (node_id, log_sequence, entry);
