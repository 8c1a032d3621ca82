-- When the rating, or its input's transform, became what it is; Unix ms. NULL: not known.
ALTER TABLE ratings ADD COLUMN since_ms bigint;
-- While it is computed anew, results from this time on are announced: they are newer than all that the input had then.
ALTER TABLE ratings ADD COLUMN news_from_ms bigint;
