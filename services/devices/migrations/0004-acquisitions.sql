-- Sources and their sessions (docs/reference/sources.md#status): schedules, retries, who runs what. Followed from the nodes service.

-- A row for each source with a transport or a schedule: what is due, and what became of its sessions.
CREATE TABLE acquisitions (
  source_id text COLLATE "C" PRIMARY KEY,
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
  memory jsonb
);
CREATE INDEX acquisitions_due ON acquisitions (next_ms) WHERE next_ms IS NOT NULL;
CREATE INDEX acquisitions_running ON acquisitions (owner_id) WHERE lease_id IS NOT NULL;
CREATE INDEX acquisitions_instance ON acquisitions (instance_id) WHERE instance_id IS NOT NULL;
CREATE INDEX acquisitions_device ON acquisitions (owner_id, device_key) WHERE device_key IS NOT NULL;

-- Processes that run sessions. One whose time is over is dead, and its sessions are free.
CREATE TABLE acquirers (
  instance_id text PRIMARY KEY,
  until_time timestamptz NOT NULL
);

-- Values of control parameters that wait to be sent (docs/reference/parameters.md#control-parameters).
CREATE TABLE controls (
  node_id text COLLATE "C" PRIMARY KEY,
  owner_id text NOT NULL,
  source_id text NOT NULL,
  -- ControlChanged.revision: older messages are ignored, so the row outlives its value.
  revision bigint NOT NULL,
  -- NULL: nothing waits.
  value jsonb,
  series text NOT NULL,
  name text NOT NULL,
  family text NOT NULL,
  workspace_id text NOT NULL
);
CREATE INDEX controls_waiting ON controls (source_id) WHERE value IS NOT NULL;
CREATE INDEX controls_source ON controls (source_id);
