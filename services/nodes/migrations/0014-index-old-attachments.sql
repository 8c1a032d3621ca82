-- Sources whose attachments are removed after some days (semantics 4.4).
CREATE INDEX nodes_remove_after ON nodes (node_id) WHERE config -> 'removeAfterDays' IS NOT NULL;
