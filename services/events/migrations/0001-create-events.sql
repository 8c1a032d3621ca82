-- The event log, one partition per month of event time (UTC). Months are made ahead and on demand, up to a limit
-- (EVENT_MONTHS_MAX): every partition costs locks in each query that spans it. What has no month of its own lies in
-- events_other, and moves out when its month is made.
CREATE TABLE IF NOT EXISTS events (
  event_id text COLLATE "C" NOT NULL,
  -- When it happened, 1800 to 9998: the record's time of state changes.
  event_time timestamptz NOT NULL,
  -- When it was stored: retention counts from here.
  recorded_at timestamptz NOT NULL DEFAULT now(),
  owner_id text COLLATE "C" NOT NULL,
  -- Absent on account events, as are node_id and node_class.
  workspace_id text COLLATE "C",
  node_id text COLLATE "C",
  -- Without the installation's prefix, for example point.NumberPoint.
  node_class text COLLATE "C",
  level text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  alarm_state text COLLATE "C" NOT NULL,
  username text COLLATE "C" NOT NULL,
  message text COLLATE "C" NOT NULL,
  -- A message that comes twice has the same id and the same time.
  PRIMARY KEY (event_id, event_time)
) PARTITION BY RANGE (event_time);

-- NULLS FIRST and the id as last column: the order in which lists are asked for (docs/reference/query-arguments.md#sort-limit-and-skip).
CREATE INDEX IF NOT EXISTS events_by_owner ON events (owner_id, event_time NULLS FIRST, event_id);
CREATE INDEX IF NOT EXISTS events_by_node ON events (node_id, event_time NULLS FIRST, event_id);
CREATE INDEX IF NOT EXISTS events_debug ON events (recorded_at) WHERE level = 'DEBUG';

CREATE TABLE IF NOT EXISTS events_other PARTITION OF events DEFAULT;

-- Nodes that are gone: events that arrive for them later are dropped. Kept longer than the bus keeps messages.
CREATE TABLE IF NOT EXISTS deleted_nodes (
  node_id text COLLATE "C" PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS deleted_nodes_by_time ON deleted_nodes (deleted_at);
