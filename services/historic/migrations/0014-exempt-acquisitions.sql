-- Acquisitions that began exempt from the acquisition limit and are so to their end (docs/reference/writing.md#daily-limits).
CREATE TABLE exempt_acquisitions (
  source_id text NOT NULL,
  -- Chosen by devices: of a file, or of the sessions until one has succeeded.
  acquisition_id text NOT NULL,
  begun_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, acquisition_id)
);
CREATE INDEX exempt_acquisitions_by_begun_time ON exempt_acquisitions (begun_time);
