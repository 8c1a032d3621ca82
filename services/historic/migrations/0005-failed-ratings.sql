-- Ratings of which the processAlarm was told that they cannot be computed, until they can be again.
ALTER TABLE ratings ADD COLUMN has_failed boolean NOT NULL DEFAULT false;
