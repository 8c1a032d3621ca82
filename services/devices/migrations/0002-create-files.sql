-- Files that were handed over for sources and wait for their turn (docs/reference/acquisition.md#files-of-a-source): kept
-- until their records are in the log, so that what was accepted survives any process.

CREATE SEQUENCE IF NOT EXISTS file_places;

-- Files of sources, coming or waiting.
CREATE TABLE IF NOT EXISTS files (
  file_id text COLLATE "C" PRIMARY KEY,
  owner_id text NOT NULL,
  source_id text NOT NULL,
  file_name text NOT NULL,
  -- This part of the source decides how the file is read, as it was when the file came (domain/source-file.ts).
  source jsonb NOT NULL,
  segment_bytes integer NOT NULL,
  -- NULL: it is still coming.
  size_bytes bigint,
  -- Files of a source are read one after the other in this order; NULL: it is still coming.
  place bigint,
  created_time timestamptz NOT NULL DEFAULT now(),
  -- The file is swept away then: one that comes no more, or whose outcome was reported. NULL: it waits.
  due_time timestamptz,
  -- Not begun before this.
  next_try timestamptz NOT NULL DEFAULT '-infinity',
  tries integer NOT NULL DEFAULT 0,
  -- Whoever reads it renews the lease; after this any replica may go on.
  lease_id text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  -- Records that the log has already.
  records_done bigint NOT NULL DEFAULT 0,
  -- {report} or {refusal}; NULL: not done.
  outcome jsonb
);
CREATE INDEX IF NOT EXISTS files_owner ON files (owner_id) WHERE outcome IS NULL;
CREATE INDEX IF NOT EXISTS files_source ON files (source_id, place);
CREATE INDEX IF NOT EXISTS files_waiting ON files (place) WHERE place IS NOT NULL AND outcome IS NULL;
CREATE INDEX IF NOT EXISTS files_due ON files (due_time) WHERE due_time IS NOT NULL;

-- The bytes of files.
CREATE TABLE IF NOT EXISTS file_segments (
  file_id text COLLATE "C" NOT NULL REFERENCES files ON DELETE CASCADE,
  -- From 0.
  segment integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (file_id, segment)
);
-- Read in pieces, each from where it is; and most large files are packed already.
ALTER TABLE file_segments ALTER COLUMN bytes SET STORAGE EXTERNAL;
