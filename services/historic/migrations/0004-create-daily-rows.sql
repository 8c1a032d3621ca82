-- Rows of each data source by UTC day, for the daily limits (docs/reference/writing.md#daily-limits). Counted upwards:
-- overwriting a row counts again, deleting does not count back, so a count is never below the truth; near a limit it is put
-- right from the store.
CREATE TABLE daily_rows (
  source_id text NOT NULL,
  -- Days since 1970-01-01.
  day int NOT NULL,
  -- Rows that arrived on this day.
  acquired int NOT NULL DEFAULT 0,
  -- Rows dated this day.
  stored int NOT NULL DEFAULT 0,
  touched_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, day)
);
CREATE INDEX daily_rows_by_touched_time ON daily_rows (touched_time);
