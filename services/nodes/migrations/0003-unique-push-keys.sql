-- Push transports are addressed by their key alone (docs/reference/acquisition.md#transports): unique in the installation.
CREATE UNIQUE INDEX nodes_push_key ON nodes ((config -> 'transport' ->> 'key')) WHERE config -> 'transport' ->> 'key' IS NOT NULL;
