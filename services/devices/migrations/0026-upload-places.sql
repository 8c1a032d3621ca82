-- This client of FTP or SFTP uploads for a source: one at a time over all replicas (docs/reference/acquisition.md#uploads).
CREATE TABLE upload_places (
  source_id text PRIMARY KEY,
  -- Id of one connection, never used twice.
  place_id text NOT NULL,
  -- Then another client may have it.
  until_time timestamptz NOT NULL
);
CREATE INDEX upload_places_by_place ON upload_places (place_id);
