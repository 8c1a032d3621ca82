-- The pass looks for stale rows. After the first pass there are few, so writes of values do not touch this index.
CREATE INDEX node_values_stale ON node_values (node_id) WHERE is_stale;
