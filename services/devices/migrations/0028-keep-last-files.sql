-- The last file of each source, and what became of it: why a source is silent (docs/reference/sources.md#diagnosis).
CREATE TABLE IF NOT EXISTS last_files (
  source_id text COLLATE "C" PRIMARY KEY,
  owner_id text NOT NULL,
  file_name text NOT NULL,
  size_bytes bigint,
  -- Time of its outcome, Unix ms.
  time_ms bigint NOT NULL,
  -- {report} or {refusal}, as in files.
  outcome jsonb NOT NULL
) WITH (fillfactor = 70);
