-- When a device that was away was last asked by SMS to connect (docs/reference/devices.md#calling-a-device), Unix ms; NULL: never.
ALTER TABLE devices ADD COLUMN IF NOT EXISTS called_ms bigint;
