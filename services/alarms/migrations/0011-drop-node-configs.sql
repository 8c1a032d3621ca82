-- Nobody knows the copy of the nodes' configuration by its name of before (migration 0004).
DROP VIEW node_configs;
ALTER TABLE node_replica ALTER COLUMN custom_id DROP DEFAULT;
