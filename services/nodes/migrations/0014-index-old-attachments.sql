-- Sources whose attachments are removed after some days (docs/reference/node-tree.md#attributes-of-classes).
CREATE INDEX nodes_remove_after ON nodes (node_id) WHERE config -> 'removeAfterDays' IS NOT NULL;
