-- Times are UTC milliseconds; ids are 24 lower-case hex characters made by their owner.

-- Devices of accounts, connected or not.
CREATE TABLE IF NOT EXISTS devices (
  device_id text PRIMARY KEY,
  owner_id text NOT NULL,
  -- NULL: the device belongs to no Workspace (any more).
  workspace_id text,
  -- 15-digit IMEI or 12-digit number, unique in the installation.
  device_key text NOT NULL CONSTRAINT device_key_taken UNIQUE,
  -- Device or ScoutDevice, without the installation's prefix.
  class text NOT NULL,
  phone_number text,
  -- domain/secret.ts; NULL: the device needs none.
  secret_hash text,
  -- ScoutDevice only; classes inside it without the installation's prefix.
  config jsonb,
  -- Grows with every change of config; the modem is out of date while the confirmed one is smaller.
  config_revision integer NOT NULL DEFAULT 1,
  confirmed_revision integer NOT NULL DEFAULT 0,
  software jsonb NOT NULL DEFAULT '{}',
  created_ms bigint NOT NULL,
  last_connected_ms bigint
);
CREATE INDEX IF NOT EXISTS devices_owner ON devices (owner_id, created_ms, device_id);
CREATE INDEX IF NOT EXISTS devices_workspace ON devices (workspace_id);

-- The sources whose transport names a device. A row counts for a device only with the same owner and Workspace, so a
-- source that names somebody else's key is never connected with it.
CREATE TABLE IF NOT EXISTS device_sources (
  source_id text PRIMARY KEY,
  owner_id text NOT NULL,
  workspace_id text NOT NULL,
  -- NULL: names no device any more; the row stays for its revision.
  device_key text,
  class text NOT NULL,
  name text NOT NULL,
  custom_id text NOT NULL,
  is_enabled boolean NOT NULL,
  schedule_type text NOT NULL,
  write_mode text NOT NULL,
  -- NodeConfig.revision: older messages are ignored.
  revision bigint NOT NULL,
  is_deleted boolean NOT NULL DEFAULT false,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX IF NOT EXISTS device_sources_key ON device_sources (device_key, owner_id, workspace_id);

-- Processes of this service. One whose heartbeat is late is dead, and so are its connections.
CREATE TABLE IF NOT EXISTS instances (
  instance_id text PRIMARY KEY,
  heartbeat_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- At most one live connection per device, whichever process holds it.
CREATE TABLE IF NOT EXISTS connections (
  device_id text PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  connection_id text NOT NULL,
  instance_id text NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX IF NOT EXISTS connections_instance ON connections (instance_id);

-- Highest settled sequence of a modem's current session (docs/modem-protocol.md).
CREATE TABLE IF NOT EXISTS modem_sessions (
  device_id text PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  session text NOT NULL,
  acked_seq bigint NOT NULL
);

-- The API shows this of a device: a connection counts while its process lives, the oldest source is the one shown.
CREATE OR REPLACE VIEW shown_devices AS
SELECT d.*,
       c.connection_id,
       c.connection_id IS NOT NULL AS is_connected,
       s.source_id AS datasource_id
FROM devices d
LEFT JOIN LATERAL (
  SELECT connections.connection_id FROM connections JOIN instances USING (instance_id)
  WHERE connections.device_id = d.device_id AND instances.heartbeat_at > clock_timestamp() - interval '10 seconds'
) c ON true
LEFT JOIN LATERAL (
  SELECT source_id FROM device_sources
  WHERE device_sources.device_key = d.device_key AND device_sources.owner_id = d.owner_id
    AND device_sources.workspace_id = d.workspace_id
  ORDER BY source_id LIMIT 1
) s ON true;

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE IF NOT EXISTS outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL
);
