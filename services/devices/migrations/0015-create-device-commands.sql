-- Commands for devices that wait to be sent, or to be answered (docs/reference/devices.md#commands).
CREATE TABLE device_commands (
  command_id text COLLATE "C" PRIMARY KEY,
  device_id text NOT NULL REFERENCES devices ON DELETE CASCADE,
  name text NOT NULL,
  arguments jsonb NOT NULL,
  username text NOT NULL,
  created_ms bigint NOT NULL,
  -- The connection that it was last sent on; a newer one gets it again.
  sent_on text,
  sent_ms bigint
);
CREATE INDEX device_commands_of_device ON device_commands (device_id, command_id);

-- Temporary ports to connected devices (docs/reference/devices.md#remote-access), one of a source; the process that holds the device's
-- connection opens it.
CREATE TABLE remote_sessions (
  source_id text PRIMARY KEY,
  owner_id text NOT NULL,
  workspace_id text NOT NULL,
  device_id text NOT NULL REFERENCES devices ON DELETE CASCADE,
  instance_id text NOT NULL,
  cidr text NOT NULL,
  username text NOT NULL,
  ends_ms bigint NOT NULL,
  -- OPENING, LISTENING, CONNECTED, CLOSED.
  state text NOT NULL,
  -- NULL: not open yet.
  port integer,
  -- Why it could not be opened.
  failure text
);
CREATE INDEX remote_sessions_of_instance ON remote_sessions (instance_id);
