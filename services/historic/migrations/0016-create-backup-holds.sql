-- Backups under way: until then nothing is removed that decides what messages of the log did (docs/adr/0026-backup.md). A backup renews its
-- row; that of one whose process died ends by itself.
CREATE TABLE IF NOT EXISTS backup_holds (
  hold_id text PRIMARY KEY,
  held_until timestamptz NOT NULL
);
