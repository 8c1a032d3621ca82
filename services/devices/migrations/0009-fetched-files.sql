-- This is known of files that were fetched (docs/reference/acquisition.md#what-is-new): by it a session takes only what is new.
CREATE TABLE IF NOT EXISTS fetched_files (
  source_id text COLLATE "C" NOT NULL,
  -- Hash of the file's path, or of the entry that names it: paths may be longer than an index takes.
  key text COLLATE "C" NOT NULL,
  -- No entry of the source takes it; reported once.
  is_ignored boolean NOT NULL DEFAULT false,
  size_bytes bigint,
  modified_ms bigint,
  version text,
  head text,
  read_to bigint,
  lines bigint,
  acquire_time_ms bigint,
  records_until_ms bigint,
  PRIMARY KEY (source_id, key)
);
