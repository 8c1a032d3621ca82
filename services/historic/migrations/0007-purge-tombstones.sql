-- When a node was deleted: the row is purged once nothing under way can need it.
ALTER TABLE catalogue ADD COLUMN deleted_time timestamptz;
UPDATE catalogue SET deleted_time = now() WHERE is_deleted;
CREATE INDEX catalogue_deleted ON catalogue (deleted_time) WHERE is_deleted;
CREATE INDEX deleted_series_by_time ON deleted_series (deleted_time);
