-- Mails whose files were kept, so that one that is sent again brings them once (docs/reference/acquisition.md#e-mail).
CREATE TABLE kept_mails (
  source_id text NOT NULL,
  -- SHA-256 of its Message-ID and its files.
  digest bytea NOT NULL,
  kept_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, digest)
);
CREATE INDEX kept_mails_by_time ON kept_mails (kept_time);
