-- Rows to be computed: few after the first pass, so that writes seldom touch this index.
CREATE INDEX node_values_stale ON node_values (node_id) WHERE is_stale;
