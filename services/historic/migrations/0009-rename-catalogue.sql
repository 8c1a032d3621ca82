-- The copy of the nodes' configuration, as @catchment/node-replica keeps it: a node with `deleted_time` is gone.
UPDATE catalogue SET deleted_time = now() WHERE is_deleted AND deleted_time IS NULL;
ALTER TABLE catalogue RENAME TO node_replica;
DROP INDEX catalogue_by_custom_id, catalogue_by_source, catalogue_deleted;
CREATE INDEX node_replica_by_custom_id ON node_replica (owner_id, custom_id) WHERE custom_id <> '' AND deleted_time IS NULL;
CREATE INDEX node_replica_by_source ON node_replica (source_id) WHERE deleted_time IS NULL;
CREATE INDEX node_replica_deleted ON node_replica (deleted_time) WHERE deleted_time IS NOT NULL;

-- For replicas of the version before, as long as they run beside this one: its name of the table, and its mark of the
-- deleted ones. A later version drops the view, the trigger and the column.
CREATE FUNCTION mark_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.is_deleted := NEW.deleted_time IS NOT NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER mark_deleted BEFORE INSERT OR UPDATE ON node_replica FOR EACH ROW EXECUTE FUNCTION mark_deleted();
CREATE VIEW catalogue AS SELECT node_id, owner_id, source_id, custom_id, revision, is_deleted, config, deleted_time FROM node_replica;
