-- Phase empty: records of the first input from this time on, Unix ms, had not been evaluated before the recomputation, and count as new.
-- NULL: those that are there when it begins do not.
ALTER TABLE programs ADD COLUMN news_from_ms bigint;
