-- Imports of files (docs/reference/writing.md#imports). The bytes and how far they are stand in `files` under the same id, until the end.
CREATE TABLE IF NOT EXISTS imports (
  import_id text COLLATE "C" PRIMARY KEY,
  owner_id text NOT NULL,
  -- The import belongs to this person: others do not see it.
  user_id text NOT NULL,
  node_id text NOT NULL,
  workspace_id text NOT NULL,
  file_name text NOT NULL,
  size_bytes bigint NOT NULL,
  -- NULL: not known yet.
  records_total bigint,
  -- As of the end.
  records_done bigint NOT NULL DEFAULT 0,
  -- DONE, FAILED, CANCELLED; NULL: it goes on.
  end_state text,
  -- {report} or {refusal}; NULL: it goes on, or was cancelled.
  outcome jsonb,
  created_time timestamptz NOT NULL DEFAULT now(),
  ended_time timestamptz
);
CREATE INDEX IF NOT EXISTS imports_node ON imports (node_id) WHERE end_state IS NULL;
CREATE INDEX IF NOT EXISTS imports_ended ON imports (ended_time) WHERE ended_time IS NOT NULL;
