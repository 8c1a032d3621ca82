-- An IMEI is unique in its account only, since nobody can prove to own one (docs/reference/devices.md#device-attributes).
-- Its secret decides whose modem connects, or the time from which a registration has none (domain/registration.ts).

ALTER TABLE devices DROP CONSTRAINT IF EXISTS device_key_taken;
CREATE UNIQUE INDEX devices_account_key ON devices (owner_id, device_key);

-- The number was made here for this device: a modem that sends it is never one of another account that wrote the number down.
ALTER TABLE devices ADD COLUMN is_generated boolean NOT NULL DEFAULT false;
-- UTC ms. Modems without a secret belong to the first registration in this order; NULL: the device has a secret. Not the time of
-- creation: whoever removes a secret, or whose key was released, comes after those that waited. One without Workspace, as of an
-- account that is gone, keeps nobody waiting.
ALTER TABLE devices ADD COLUMN unsecured_since_ms bigint;
UPDATE devices SET is_generated = length(device_key) = 12,
  unsecured_since_ms = CASE WHEN secret_hash IS NULL THEN created_ms END;
CREATE UNIQUE INDEX devices_generated_key ON devices (device_key) WHERE is_generated;
CREATE INDEX devices_unsecured ON devices (device_key, unsecured_since_ms, device_id)
  WHERE unsecured_since_ms IS NOT NULL AND workspace_id IS NOT NULL;

-- All secrets of a key have one salt, so that one derivation answers for all of its registrations, however many there are.
CREATE TABLE key_salts (
  device_key text PRIMARY KEY,
  -- base64url
  salt text NOT NULL
);
-- Until now a key had one device at most.
INSERT INTO key_salts SELECT device_key, split_part(secret_hash, '$', 2) FROM devices WHERE secret_hash IS NOT NULL
  ON CONFLICT DO NOTHING;
-- secret_hash is scrypt$<salt>$<hash>; a registration is found by the beginning of the hash, and the rest is compared in the process.
CREATE INDEX devices_secret ON devices (device_key, left(split_part(secret_hash, '$', 3), 8)) WHERE secret_hash IS NOT NULL;
