-- The copy of the nodes' configuration, as @catchment/node-replica keeps it: a node with `deleted_time` is gone.
ALTER TABLE node_configs RENAME TO node_replica;
ALTER TABLE node_replica RENAME COLUMN deleted_at TO deleted_time;
ALTER TABLE node_replica ADD COLUMN custom_id text COLLATE "C" NOT NULL DEFAULT '';
ALTER INDEX node_configs_by_source RENAME TO node_replica_by_source;
ALTER INDEX node_configs_deleted RENAME TO node_replica_deleted;

-- For replicas of the version before, as long as they run beside this one: its names. A later version drops the view and
-- the default.
CREATE VIEW node_configs AS
  SELECT node_id, owner_id, source_id, revision, config, deleted_time AS deleted_at FROM node_replica;
