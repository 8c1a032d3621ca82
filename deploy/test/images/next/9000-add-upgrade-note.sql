-- What a release may change while pods of the one before still serve: a column with a default, an index.
ALTER TABLE nodes ADD COLUMN upgrade_note text NOT NULL DEFAULT 'none';
CREATE INDEX nodes_upgrade_note ON nodes (upgrade_note);
