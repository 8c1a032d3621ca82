-- Rows acquired and stored per data source and UTC day (semantics 8.8): 0 = no limit, NULL = as the installation has it.
ALTER TABLE owners ADD COLUMN row_limit int CHECK (row_limit >= 0);
