-- Rows acquired and stored per data source and UTC day (docs/reference/writing.md#daily-limits): 0 = no limit, NULL = as the
-- installation has it.
ALTER TABLE owners ADD COLUMN row_limit int CHECK (row_limit >= 0);
