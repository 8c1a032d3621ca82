-- What was in the store before the writes of a message whose mode depends on it (MERGE_PRESERVE/UPDATE/FAIL_ON_EXISTING,
-- INSERT_FAIL_ON_EXISTING): a message that comes again is decided by this, not by what it has written itself.
-- A partition keeps only the rows of its newest such message.
CREATE TABLE write_observations (
  partition int NOT NULL,
  log_sequence bigint NOT NULL,
  -- Index of the column's entry in the message.
  entry int NOT NULL,
  -- SHA-256 of the message: the sequence alone would be taken for another one where the stream was made anew.
  message_digest bytea NOT NULL,
  -- One byte per record: live parts (1 value, 2 quality, 4 annotation), 0 = no record; or a single 0 or 1 for the range.
  presence bytea NOT NULL,
  PRIMARY KEY (partition, log_sequence, entry)
);
