-- Filters by name and by class find their nodes without looking at all others of the account.
CREATE INDEX nodes_owner_name ON nodes (owner_id, name);
CREATE INDEX nodes_owner_class ON nodes (owner_id, class);
