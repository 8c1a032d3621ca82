-- The processAlarm reports that the rating cannot be computed, until it can be again.
ALTER TABLE ratings ADD COLUMN has_failed boolean NOT NULL DEFAULT false;
