-- An upload began here: whoever goes on with it must be allowed to work there. NULL: it began before this migration.
ALTER TABLE files ADD COLUMN workspace_id text COLLATE "C";
