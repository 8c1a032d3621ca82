-- A device is looked for among the sources of one account: names of others cost and reveal nothing
-- (docs/reference/devices.md#device-attributes).
CREATE INDEX nodes_owner_device ON nodes (owner_id, (config -> 'transport' ->> 'deviceId')) WHERE config -> 'transport' ->> 'deviceId' IS NOT NULL;
DROP INDEX IF EXISTS nodes_device;
