-- The tables of alarms as its migrations leave them. «npm run generate:schemas» writes this file, and nothing runs it.

-- Revision of StateChanged and AlarmChanged: taken while the node's rows are locked, so it grows per node.
CREATE SEQUENCE revisions;

-- Sources with a record that lay more than a day ahead, by the UTC day (of Unix time) on which it came: an event reports it once a day.
CREATE TABLE ahead_days (
  node_id text COLLATE "C" NOT NULL,
  day integer NOT NULL,
  PRIMARY KEY (node_id, day)
);

-- Alarms by node and type; a missing row is CLEARED. Later alarm types are more rows.
CREATE TABLE alarms (
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
  -- Somebody has cleared the alarm while its condition lasted: it stays so until there is a fresh one.
  is_cleared_by_hand boolean NOT NULL DEFAULT false,
  PRIMARY KEY (node_id, alarm_type)
);

-- The last message that reported how an attempt of a service ended, by node and kind: what comes twice or late changes nothing.
CREATE TABLE attempts (
  node_id text COLLATE "C" NOT NULL,
  -- session, configuration, control or run.
  kind text COLLATE "C" NOT NULL,
  -- In the stream of domain events.
  log_sequence bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (node_id, kind)
);

-- Parts of columns that span several messages of the log, until the last one comes.
CREATE TABLE column_parts (
  column_key text NOT NULL,
  part integer NOT NULL,
  -- An ingest batch with this part as its only entry.
  data bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (column_key, part)
);
CREATE INDEX column_parts_by_time ON column_parts (stored_at);

-- Series whose alarms are to be judged by the settings that hold. Each row is removed by the transaction that judges.
CREATE TABLE judgements (
  node_id text COLLATE "C" NOT NULL,
  -- The readers of the log must have come so far; 0: they need not.
  after_sequence bigint NOT NULL DEFAULT 0,
  -- What is kept of its records may lack some: the store is asked, once it has the log up to there.
  needs_store boolean NOT NULL DEFAULT false,
  -- Unix ms of what has brought it about; NULL: nobody knows.
  time_ms bigint,
  username text NOT NULL DEFAULT 'System',
  -- The same as time_ms: nothing is judged where the store says what is kept. An earlier release that adds a reason of its own changes
  -- time_ms alone.
  check_ms bigint,
  PRIMARY KEY (node_id)
);

-- What this service knows of nodes: NodeConfig as the nodes service published it. The authority for evaluation.
CREATE TABLE node_replica (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  -- Data source of a parameter; itself for all other nodes.
  source_id text COLLATE "C" NOT NULL,
  -- Only a higher revision replaces a row.
  revision bigint NOT NULL,
  -- Protobuf NodeConfig; empty on a deleted node.
  config bytea NOT NULL,
  -- Deleted nodes stay known for a while, so nothing that is still under way revives them.
  deleted_time timestamptz,
  custom_id text COLLATE "C" NOT NULL,
  CONSTRAINT node_configs_pkey PRIMARY KEY (node_id)
);
CREATE INDEX node_replica_by_source ON node_replica (source_id);
CREATE INDEX node_replica_deleted ON node_replica (deleted_time) WHERE deleted_time IS NOT NULL;

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL,
  PRIMARY KEY (id)
);

-- When a source is looked at next for its outdatedAlarm: those alone that may have it raised.
CREATE TABLE outdated_checks (
  node_id text COLLATE "C" NOT NULL,
  -- How long it may bring nothing, ms.
  quiet_max_ms bigint NOT NULL,
  -- Unix ms; 0: at once. Of a fresh source the moment when it is outdated if nothing comes.
  due_ms bigint NOT NULL DEFAULT 0,
  -- The reference time of the last look, Unix ms, where it found the source outdated; NULL: it was fresh, or was not looked at.
  outdated_since_ms bigint,
  -- The time from the last look at an outdated source to the next one, ms.
  wait_ms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (node_id)
);
CREATE INDEX outdated_checks_due ON outdated_checks (due_ms);

-- The last message of each partition of the ingest log that is applied here.
CREATE TABLE progress (
  partition integer NOT NULL,
  log_sequence bigint NOT NULL,
  PRIMARY KEY (partition)
);

-- Messages of the outbox that the broker will never take (too large, no stream for their subject): kept for people, for 30 days.
CREATE TABLE refused_outbox (
  id bigint NOT NULL,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL,
  -- What the broker said.
  reason text NOT NULL,
  refused_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id)
);
CREATE INDEX refused_outbox_by_time ON refused_outbox (refused_time);

-- One row per parameter that has had a state.
CREATE TABLE series (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  -- Current state; null: none has been announced yet, or records were deleted.
  state_id text COLLATE "C",
  -- The newest records having a value: [[Unix ms, raw value], …], ascending, at most 15.
  history jsonb NOT NULL,
  -- history holds every record having a value from this time (Unix ms) on; -Infinity: all; Infinity: nothing is known.
  known_since_ms double precision NOT NULL,
  PRIMARY KEY (node_id)
);

-- The message of the log up to which historic has reported what it wrote, by partition: what it has not said of messages before will not be
-- said any more.
CREATE TABLE settled (
  partition integer NOT NULL,
  log_sequence bigint NOT NULL,
  PRIMARY KEY (partition)
);

-- Entries of the ingest log that a series waits with, in their order: the first needs what only historic can say, those behind it
-- need the first. Other series go on. Removed when they have been evaluated.
CREATE TABLE waiting_entries (
  partition integer NOT NULL,
  log_sequence bigint NOT NULL,
  -- Index in the message; of a column that spans messages, that of its last part.
  entry integer NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  -- An ingest batch with this entry alone; a column that spanned messages is whole. NULL: the log's reader has not come to it.
  data bytea,
  -- The write mode depends on records that were there: `written` is needed.
  needs_verdict boolean NOT NULL,
  -- Bits of the records that historic says it wrote (proto ColumnSettled). NULL: it has not said it.
  written bytea,
  since_time timestamptz NOT NULL DEFAULT now(),
  -- When the message came to the log, Unix ms by the broker's clock; NULL: an earlier release has kept the entry.
  message_ms bigint,
  PRIMARY KEY (partition, log_sequence, entry)
);
CREATE INDEX waiting_entries_by_node ON waiting_entries (node_id, log_sequence, entry);
