-- What this service knows of nodes: NodeConfig as the nodes service published it. The authority for evaluation.
CREATE TABLE IF NOT EXISTS node_configs (
  node_id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  -- Data source of a parameter; itself for all other nodes.
  source_id text COLLATE "C" NOT NULL,
  -- Only a higher revision replaces a row.
  revision bigint NOT NULL,
  -- Protobuf NodeConfig; empty on a deleted node.
  config bytea NOT NULL,
  -- Deleted nodes stay known for a while, so nothing that is still under way revives them.
  deleted_at timestamptz
);
CREATE INDEX IF NOT EXISTS node_configs_by_source ON node_configs (source_id);
CREATE INDEX IF NOT EXISTS node_configs_deleted ON node_configs (deleted_at) WHERE deleted_at IS NOT NULL;

-- One row per parameter that has had a state.
CREATE TABLE IF NOT EXISTS series (
  node_id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  -- Current state; null: none has been announced yet, or records were deleted.
  state_id text COLLATE "C",
  -- The newest records having a value: [[Unix ms, raw value], …], ascending, at most 15.
  history jsonb NOT NULL,
  -- history holds every record having a value from this time (Unix ms) on; -Infinity: all; Infinity: nothing is known.
  known_since_ms double precision NOT NULL
);

-- Alarms by node and type; a missing row is CLEARED. Later alarm types are more rows.
CREATE TABLE IF NOT EXISTS alarms (
  node_id text COLLATE "C" NOT NULL,
  -- stateAlarm, qualityAlarm, … as in the API.
  alarm_type text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  -- ACTIVE, ACKNOWLEDGED, CLEARED; all below is null when CLEARED.
  alarm_state text COLLATE "C" NOT NULL,
  message text,
  category_id text COLLATE "C",
  active_time_ms bigint,
  acknowledge_time_ms bigint,
  acknowledge_username text,
  acknowledge_comment text,
  PRIMARY KEY (node_id, alarm_type)
);

-- Revision of StateChanged and AlarmChanged: taken while the node's rows are locked, so it grows per node.
CREATE SEQUENCE IF NOT EXISTS revisions;

-- The last message of each partition of the ingest log that is applied here.
CREATE TABLE IF NOT EXISTS progress (
  partition int PRIMARY KEY,
  log_sequence bigint NOT NULL
);

-- Parts of columns that span several messages of the log, until the last one comes.
CREATE TABLE IF NOT EXISTS column_parts (
  column_key text NOT NULL,
  part int NOT NULL,
  -- An ingest batch with this part as its only entry.
  data bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (column_key, part)
);
CREATE INDEX IF NOT EXISTS column_parts_by_time ON column_parts (stored_at);

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE IF NOT EXISTS outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL
);
