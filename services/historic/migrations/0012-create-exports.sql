-- Exports (docs/reference/writing.md#exports): what is asked for, how far it is, and for 12 hours the file.
CREATE TABLE IF NOT EXISTS exports (
  export_id text COLLATE "C" PRIMARY KEY,
  owner_id text NOT NULL,
  -- Whose it is: others do not see it.
  user_id text NOT NULL,
  -- domain/export.ts: ExportPlan.
  plan jsonb NOT NULL,
  -- Who reads the records (packages/access, ApiCaller).
  caller jsonb NOT NULL,
  series_done integer NOT NULL DEFAULT 0,
  records bigint NOT NULL DEFAULT 0,
  -- The size of the file; NULL: it is not complete.
  size_bytes bigint,
  -- NULL: it goes on, or is done.
  failure text,
  created_time timestamptz NOT NULL DEFAULT now(),
  ended_time timestamptz,
  tries integer NOT NULL DEFAULT 0,
  -- Not begun before this.
  next_try timestamptz NOT NULL DEFAULT '-infinity',
  -- Whoever makes it renews the lease; after this any replica begins it again.
  lease_id text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX IF NOT EXISTS exports_owner ON exports (owner_id, user_id, created_time);
CREATE INDEX IF NOT EXISTS exports_waiting ON exports (created_time) WHERE ended_time IS NULL;
CREATE INDEX IF NOT EXISTS exports_ended ON exports (ended_time) WHERE ended_time IS NOT NULL;

-- The bytes of the files of exports.
CREATE TABLE IF NOT EXISTS export_segments (
  export_id text COLLATE "C" NOT NULL REFERENCES exports ON DELETE CASCADE,
  -- From 0.
  segment integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (export_id, segment)
);
-- A zip is packed already.
ALTER TABLE export_segments ALTER COLUMN bytes SET STORAGE EXTERNAL;
