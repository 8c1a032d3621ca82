-- Files in the object store, in segments (docs/reference/attachments.md). Attachments name theirs in config.file; clones and
-- instances share it, for the bytes of a file never change.
CREATE TABLE files (
  file_id text COLLATE "C" PRIMARY KEY CHECK (file_id ~ '^[0-9a-f]{24}$'),
  -- No foreign key: bytes are removed after their account.
  owner_id text COLLATE "C" NOT NULL,
  segment_bytes int NOT NULL,
  -- Segments that may be stored.
  segments int NOT NULL DEFAULT 0,
  -- NULL until all of them are.
  size_bytes bigint,
  -- When somebody looks whether a node still names it, Unix ms; NULL = some node does.
  due_ms bigint,
  -- Its bytes are being removed: no node will name it any more.
  is_removing boolean NOT NULL DEFAULT false
);
CREATE INDEX files_owner ON files (owner_id);
CREATE INDEX files_due ON files (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX nodes_file ON nodes ((config -> 'file' ->> 'id')) WHERE config -> 'file' ->> 'id' IS NOT NULL;
