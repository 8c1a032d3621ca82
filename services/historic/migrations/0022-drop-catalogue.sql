-- Nobody knows the copy of the nodes' configuration by its name of before (migration 0009).
DROP VIEW catalogue;
DROP TRIGGER mark_deleted ON node_replica;
DROP FUNCTION mark_deleted();
ALTER TABLE node_replica DROP COLUMN is_deleted;
