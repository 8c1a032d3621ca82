-- Since when a mark waits to be absorbed, for the metric catchment_oldest_unprocessed_seconds.
ALTER TABLE marks ADD COLUMN marked_time timestamptz NOT NULL DEFAULT now();
