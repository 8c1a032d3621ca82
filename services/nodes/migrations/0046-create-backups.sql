-- Finished backups (`catchment backup create`), for metrics. The newest 1000 are kept.
CREATE TABLE IF NOT EXISTS backups (
  backup_id text PRIMARY KEY,
  started_time timestamptz NOT NULL,
  -- The moment whose state it holds.
  cut_time timestamptz NOT NULL,
  finished_time timestamptz NOT NULL,
  -- Bytes of all that it needs, and of what it had to write: the rest was in earlier backups.
  size_bytes bigint NOT NULL,
  written_bytes bigint NOT NULL
);
CREATE INDEX IF NOT EXISTS backups_finished ON backups (finished_time);
