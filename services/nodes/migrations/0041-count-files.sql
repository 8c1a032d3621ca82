-- Attachment sources: files of the UTC day, and those that its limit has refused (docs/reference/writing.md#daily-limits).
ALTER TABLE node_values
  -- Days since 1970.
  ADD COLUMN files_day int,
  ADD COLUMN files_of_day int NOT NULL DEFAULT 0,
  ADD COLUMN files_refused int NOT NULL DEFAULT 0;
