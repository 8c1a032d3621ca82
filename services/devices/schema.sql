-- The tables of devices as its migrations leave them. «npm run generate:schemas» writes this file, and nothing runs it.

CREATE SEQUENCE file_places;

-- Processes that run sessions. One whose time is over is dead, and its sessions are free.
CREATE TABLE acquirers (
  instance_id text NOT NULL,
  until_time timestamptz NOT NULL,
  PRIMARY KEY (instance_id)
);

-- A row for each source with a transport or a schedule: what is due, and what became of its sessions.
CREATE TABLE acquisitions (
  source_id text COLLATE "C" NOT NULL,
  owner_id text NOT NULL,
  workspace_id text NOT NULL,
  class text NOT NULL,
  name text NOT NULL,
  transport text NOT NULL,
  -- NULL: the transport names no device.
  device_key text,
  is_enabled boolean NOT NULL,
  schedule_type text NOT NULL,
  interval_ms bigint NOT NULL,
  offset_ms bigint NOT NULL,
  write_mode text NOT NULL,
  -- NodeConfig.revision: older messages are ignored.
  node_revision bigint NOT NULL,
  is_deleted boolean NOT NULL DEFAULT false,
  changed_time timestamptz NOT NULL DEFAULT clock_timestamp(),
  status text NOT NULL,
  -- Unix ms: when a worker has something to do. NULL: only once something happens.
  next_ms bigint,
  collects boolean NOT NULL,
  retries integer NOT NULL,
  -- Id of the session, never used twice; NULL: none runs.
  lease_id text,
  -- The process that runs it; while RETRYING the one that ran it.
  instance_id text,
  -- SourceChanged.revision.
  revision bigint NOT NULL,
  attempts bigint NOT NULL,
  successes bigint NOT NULL,
  last_attempt_ms bigint,
  last_success_ms bigint,
  record_count bigint NOT NULL,
  last_record_count bigint,
  is_alarmed boolean NOT NULL,
  facts jsonb NOT NULL,
  -- The driver remembers this: collection pointers.
  memory jsonb,
  PRIMARY KEY (source_id)
);
CREATE INDEX acquisitions_device ON acquisitions (owner_id, device_key) WHERE device_key IS NOT NULL;
CREATE INDEX acquisitions_due ON acquisitions (next_ms) WHERE next_ms IS NOT NULL;
CREATE INDEX acquisitions_instance ON acquisitions (instance_id) WHERE instance_id IS NOT NULL;
CREATE INDEX acquisitions_running ON acquisitions (owner_id) WHERE lease_id IS NOT NULL;

-- At most one live connection per device, whichever process holds it.
CREATE TABLE connections (
  device_id text NOT NULL,
  connection_id text NOT NULL,
  instance_id text NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (device_id),
  FOREIGN KEY (device_id) REFERENCES devices(device_id) ON DELETE CASCADE
);
CREATE INDEX connections_instance ON connections (instance_id);

-- Values of control parameters that wait to be sent (docs/reference/parameters.md#control-parameters).
CREATE TABLE controls (
  node_id text COLLATE "C" NOT NULL,
  owner_id text NOT NULL,
  source_id text NOT NULL,
  -- ControlChanged.revision: older messages are ignored, so the row outlives its value.
  revision bigint NOT NULL,
  -- NULL: nothing waits.
  value jsonb,
  series text NOT NULL,
  name text NOT NULL,
  family text NOT NULL,
  workspace_id text NOT NULL,
  PRIMARY KEY (node_id)
);
CREATE INDEX controls_source ON controls (source_id);
CREATE INDEX controls_waiting ON controls (source_id) WHERE value IS NOT NULL;

-- Commands for devices that wait to be sent, or to be answered (docs/reference/devices.md#commands).
CREATE TABLE device_commands (
  command_id text COLLATE "C" NOT NULL,
  device_id text NOT NULL,
  name text NOT NULL,
  arguments jsonb NOT NULL,
  username text NOT NULL,
  created_ms bigint NOT NULL,
  -- The connection that it was last sent on; a newer one gets it again.
  sent_on text,
  sent_ms bigint,
  PRIMARY KEY (command_id),
  FOREIGN KEY (device_id) REFERENCES devices(device_id) ON DELETE CASCADE
);
CREATE INDEX device_commands_of_device ON device_commands (device_id, command_id);

-- The sources whose transport names a device. A row counts for a device only with the same owner and Workspace, so a
-- source that names somebody else's key is never connected with it.
CREATE TABLE device_sources (
  source_id text NOT NULL,
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
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (source_id)
);
CREATE INDEX device_sources_key ON device_sources (device_key, owner_id, workspace_id);

-- Devices of accounts, connected or not.
CREATE TABLE devices (
  device_id text NOT NULL,
  owner_id text NOT NULL,
  -- NULL: the device belongs to no Workspace (any more).
  workspace_id text,
  -- 15-digit IMEI or 12-digit number, unique in the installation.
  device_key text NOT NULL,
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
  last_connected_ms bigint,
  -- The number was made here for this device: a modem that sends it is never one of another account that wrote the number down.
  is_generated boolean NOT NULL DEFAULT false,
  -- UTC ms. Modems without a secret belong to the first registration in this order; NULL: the device has a secret. Not the time of
  -- creation: whoever removes a secret, or whose key was released, comes after those that waited. One without Workspace, as of an
  -- account that is gone, keeps nobody waiting.
  unsecured_since_ms bigint,
  -- When a device that was away was last asked by SMS to connect (docs/reference/devices.md#calling-a-device), Unix ms; NULL: never.
  called_ms bigint,
  PRIMARY KEY (device_id)
);
CREATE UNIQUE INDEX devices_account_key ON devices (owner_id, device_key);
CREATE UNIQUE INDEX devices_generated_key ON devices (device_key) WHERE is_generated;
CREATE INDEX devices_owner ON devices (owner_id, created_ms, device_id);
-- secret_hash is scrypt$<salt>$<hash>; a registration is found by the beginning of the hash, and the rest is compared in the process.
CREATE INDEX devices_secret ON devices (device_key, "left"(split_part(secret_hash, '$'::text, 3), 8)) WHERE secret_hash IS NOT NULL;
CREATE INDEX devices_unsecured ON devices (device_key, unsecured_since_ms, device_id) WHERE unsecured_since_ms IS NOT NULL AND workspace_id IS NOT NULL;
CREATE INDEX devices_workspace ON devices (workspace_id);

-- This is known of files that were fetched (docs/reference/acquisition.md#what-is-new): by it a session takes only what is new.
CREATE TABLE fetched_files (
  source_id text COLLATE "C" NOT NULL,
  -- Hash of the file's path, or of the entry that names it: paths may be longer than an index takes.
  key text COLLATE "C" NOT NULL,
  -- No entry of the source takes it; reported once.
  is_ignored boolean NOT NULL DEFAULT false,
  size_bytes bigint,
  modified_ms bigint,
  version text,
  head text,
  read_to bigint,
  lines bigint,
  acquire_time_ms bigint,
  records_until_ms bigint,
  PRIMARY KEY (source_id, key)
);

-- The bytes of files.
CREATE TABLE file_segments (
  file_id text COLLATE "C" NOT NULL,
  -- From 0.
  segment integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (file_id, segment),
  FOREIGN KEY (file_id) REFERENCES files(file_id) ON DELETE CASCADE
);

-- Files of sources, coming or waiting.
CREATE TABLE files (
  file_id text COLLATE "C" NOT NULL,
  owner_id text NOT NULL,
  source_id text NOT NULL,
  file_name text NOT NULL,
  -- This part of the source decides how the file is read, as it was when the file came (domain/source-file.ts).
  source jsonb NOT NULL,
  segment_bytes integer NOT NULL,
  -- NULL: it is still coming.
  size_bytes bigint,
  -- Files of a source are read one after the other in this order; NULL: it is still coming.
  place bigint,
  created_time timestamptz NOT NULL DEFAULT now(),
  -- The file is swept away then: one that comes no more, or whose outcome was reported. NULL: it waits.
  due_time timestamptz,
  -- Not begun before this.
  next_try timestamptz NOT NULL DEFAULT '-infinity',
  tries integer NOT NULL DEFAULT 0,
  -- Whoever reads it renews the lease; after this any replica may go on.
  lease_id text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  -- Records that the log has already.
  records_done bigint NOT NULL DEFAULT 0,
  -- {report} or {refusal}; NULL: not done.
  outcome jsonb,
  PRIMARY KEY (file_id)
);
CREATE INDEX files_due ON files (due_time) WHERE due_time IS NOT NULL;
CREATE INDEX files_owner ON files (owner_id) WHERE outcome IS NULL;
CREATE INDEX files_source ON files (source_id, place);
CREATE INDEX files_waiting ON files (place) WHERE place IS NOT NULL AND outcome IS NULL;

-- Keys that hosts of SFTP showed to sources first (docs/reference/acquisition.md#downloads-over-sftp).
CREATE TABLE host_keys (
  source_id text COLLATE "C" NOT NULL,
  -- host:port
  target text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  PRIMARY KEY (source_id, target)
);

-- Imports of files (docs/reference/writing.md#imports). The bytes and how far they are stand in `files` under the same id, until the end.
CREATE TABLE imports (
  import_id text COLLATE "C" NOT NULL,
  owner_id text NOT NULL,
  -- The import belongs to this person: others do not see it.
  user_id text NOT NULL,
  node_id text NOT NULL,
  workspace_id text NOT NULL,
  file_name text NOT NULL,
  size_bytes bigint NOT NULL,
  -- NULL: not known yet.
  records_total bigint,
  -- As of the end.
  records_done bigint NOT NULL DEFAULT 0,
  -- DONE, FAILED, CANCELLED; NULL: it goes on.
  end_state text,
  -- {report} or {refusal}; NULL: it goes on, or was cancelled.
  outcome jsonb,
  created_time timestamptz NOT NULL DEFAULT now(),
  ended_time timestamptz,
  PRIMARY KEY (import_id)
);
CREATE INDEX imports_ended ON imports (ended_time) WHERE ended_time IS NOT NULL;
CREATE INDEX imports_node ON imports (node_id) WHERE end_state IS NULL;

-- Processes of this service. One whose heartbeat is late is dead, and so are its connections.
CREATE TABLE instances (
  instance_id text NOT NULL,
  heartbeat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (instance_id)
);

-- Mails whose files were kept, so that one that is sent again brings them once (docs/reference/acquisition.md#e-mail).
CREATE TABLE kept_mails (
  source_id text NOT NULL,
  -- SHA-256 of its Message-ID and its files.
  digest bytea NOT NULL,
  kept_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, digest)
);
CREATE INDEX kept_mails_by_time ON kept_mails (kept_time);

-- All secrets of a key have one salt, so that one derivation answers for all of its registrations, however many there are.
CREATE TABLE key_salts (
  device_key text NOT NULL,
  -- base64url
  salt text NOT NULL,
  PRIMARY KEY (device_key)
);

-- The last file of each source, and what became of it: why a source is silent (docs/reference/sources.md#diagnosis).
CREATE TABLE last_files (
  source_id text COLLATE "C" NOT NULL,
  owner_id text NOT NULL,
  file_name text NOT NULL,
  size_bytes bigint,
  -- Time of its outcome, Unix ms.
  time_ms bigint NOT NULL,
  -- {report} or {refusal}, as in files.
  outcome jsonb NOT NULL,
  PRIMARY KEY (source_id)
) WITH (fillfactor=70);

-- Highest settled sequence of a modem's current session (docs/modem-protocol.md).
CREATE TABLE modem_sessions (
  device_id text NOT NULL,
  session text NOT NULL,
  acked_seq bigint NOT NULL,
  PRIMARY KEY (device_id),
  FOREIGN KEY (device_id) REFERENCES devices(device_id) ON DELETE CASCADE
);

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL,
  PRIMARY KEY (id)
);

-- Messages of the outbox that the broker will never take (too large, no stream for their subject): kept for people, for 30 days.
CREATE TABLE refused_outbox (
  id bigint NOT NULL,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL,
  -- The broker said this.
  reason text NOT NULL,
  refused_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id)
);
CREATE INDEX refused_outbox_by_time ON refused_outbox (refused_time);

-- Temporary ports to connected devices (docs/reference/devices.md#remote-access), one of a source; the process that holds the device's
-- connection opens it.
CREATE TABLE remote_sessions (
  source_id text NOT NULL,
  owner_id text NOT NULL,
  workspace_id text NOT NULL,
  device_id text NOT NULL,
  instance_id text NOT NULL,
  cidr text NOT NULL,
  username text NOT NULL,
  ends_ms bigint NOT NULL,
  -- OPENING, LISTENING, CONNECTED, CLOSED.
  state text NOT NULL,
  -- NULL: not open yet.
  port integer,
  -- Why it could not be opened.
  failure text,
  PRIMARY KEY (source_id),
  FOREIGN KEY (device_id) REFERENCES devices(device_id) ON DELETE CASCADE
);
CREATE INDEX remote_sessions_of_instance ON remote_sessions (instance_id);

-- Frames of LoRaWAN devices that came lately: a network, or several of its integrations, may hand one over more than once, each time with
-- another time (docs/reference/iot.md#lorawan-uplinks). Swept after two hours.
CREATE TABLE uplinks (
  source_id text NOT NULL,
  -- Its EUI, or what else the network calls it.
  device text NOT NULL,
  -- The network reports this of the session that a join begins; empty: nothing.
  session text NOT NULL,
  counter bigint NOT NULL,
  -- Digest of port and payload; null: it was not sent.
  digest bytea,
  -- Unix ms: of the first one, at which its records are.
  time_ms bigint NOT NULL,
  is_stored boolean NOT NULL DEFAULT false,
  noted_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, device, session, counter)
);
CREATE INDEX uplinks_by_noted_time ON uplinks (noted_time);

-- This client of FTP or SFTP uploads for a source: one at a time over all replicas (docs/reference/acquisition.md#uploads).
CREATE TABLE upload_places (
  source_id text NOT NULL,
  -- Id of one connection, never used twice.
  place_id text NOT NULL,
  -- Then another client may have it.
  until_time timestamptz NOT NULL,
  PRIMARY KEY (source_id)
);
CREATE INDEX upload_places_by_place ON upload_places (place_id);

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
