-- The topics stand here (docs/reference/events.md#topics). Empty unless Kafka is configured.

-- The position in the log up to which a topic has its events.
CREATE TABLE IF NOT EXISTS topic_positions (
  topic text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL
);

-- The place in a partition of the ingest log up to which historic has said what it stored.
CREATE TABLE IF NOT EXISTS settled_partitions (
  partition integer PRIMARY KEY,
  log_sequence bigint NOT NULL
);

-- Says which records of a column were written, where that depends on records that were there: kept until the column is in its topic, and as long as
-- dead letters where it cannot be.
CREATE TABLE IF NOT EXISTS settled_columns (
  partition integer NOT NULL,
  log_sequence bigint NOT NULL,
  -- Index in the message of the log.
  entry integer NOT NULL,
  -- One bit for each record, lowest bit first.
  written bytea NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, log_sequence, entry)
);

-- Parts of a column that spans messages of the log: kept for a week, longer than the column takes.
CREATE TABLE IF NOT EXISTS column_parts (
  column_key text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  partition integer NOT NULL,
  -- A batch of the ingest log with this one column.
  data bytea NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (column_key, part)
);
