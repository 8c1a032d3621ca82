-- Keys that hosts of SFTP showed to sources first (docs/reference/acquisition.md#downloads-over-sftp).
CREATE TABLE IF NOT EXISTS host_keys (
  source_id text COLLATE "C" NOT NULL,
  -- host:port
  target text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  PRIMARY KEY (source_id, target)
);
