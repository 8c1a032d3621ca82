-- The tables of events as its migrations leave them. «npm run generate:schemas» writes this file, and nothing runs it.

-- The order in which events were recorded: what streams, webhooks and other followers of the log resume from. The lock makes it
-- the order of commit too, so a reader that has seen position p never misses a smaller one. A trigger, not the service, takes it:
-- pods of the version before insert as well while an upgrade rolls. Events from before have none, and nobody follows them.
CREATE SEQUENCE events_position;

-- Parts of a column that spans messages of the log: kept for a week, longer than the column takes.
CREATE TABLE column_parts (
  column_key text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  partition integer NOT NULL,
  -- A batch of the ingest log with this one column.
  data bytea NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (column_key, part)
);

-- Nodes that are gone: events that arrive for them later are dropped. Kept longer than the bus keeps messages.
CREATE TABLE deleted_nodes (
  node_id text COLLATE "C" NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (node_id)
);
CREATE INDEX deleted_nodes_by_time ON deleted_nodes (deleted_at);

-- The event log, one partition per month of event time (UTC). Months are made ahead and on demand, up to a limit
-- (EVENT_MONTHS_MAX): every partition costs locks in each query that spans it. What has no month of its own lies in
-- events_other, and moves out when its month is made.
CREATE TABLE events (
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
  position bigint DEFAULT nextval('events_position'::regclass),
  -- The alarm that an event is about, as in the API; absent on other events, and on those from before. By it the alarms of nodes are known as
  -- they were at a time.
  alarm_type text COLLATE "C",
  PRIMARY KEY (event_id, event_time)
) PARTITION BY RANGE (event_time);
-- Events that raise an alarm are few among all: dashboards count them over a period (docs/reference/dashboards-and-reports.md#tiles).
CREATE INDEX events_active ON events (owner_id, event_time) INCLUDE (workspace_id, node_id, event_type) WHERE alarm_state = 'ACTIVE'::text;
CREATE INDEX events_by_node ON events (node_id, event_time NULLS FIRST, event_id);
-- NULLS FIRST and the id as last column: the order in which lists are asked for (docs/reference/query-arguments.md#sort-limit-and-skip).
CREATE INDEX events_by_owner ON events (owner_id, event_time NULLS FIRST, event_id);
CREATE INDEX events_by_owner_position ON events (owner_id, "position") WHERE "position" IS NOT NULL;
CREATE INDEX events_by_position ON events ("position") WHERE "position" IS NOT NULL;
CREATE INDEX events_debug ON events (recorded_at) WHERE level = 'DEBUG'::text;
CREATE INDEX events_of_alarms ON events (node_id, alarm_type, event_time DESC, "position" DESC) WHERE alarm_type IS NOT NULL;
-- Events that nobody follows, as of an account that was restored alone: retention looks for the oldest ones of each account.
CREATE INDEX events_without_position ON events (owner_id, recorded_at) WHERE "position" IS NULL;
CREATE TRIGGER events_in_order BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION events_in_order();
-- Notifies the webhooks of an account that it has news. A trigger, not the service: pods of the version before record events as well.
CREATE TRIGGER webhooks_have_news AFTER INSERT ON events REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION webhooks_have_news();

CREATE TABLE events_other PARTITION OF events DEFAULT;

-- Says which records of a column were written, where that depends on records that were there: kept until the column is in its topic, and as long as
-- dead letters where it cannot be.
CREATE TABLE settled_columns (
  partition integer NOT NULL,
  log_sequence bigint NOT NULL,
  -- Index in the message of the log.
  entry integer NOT NULL,
  -- One bit for each record, lowest bit first.
  written bytea NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, log_sequence, entry)
);

-- The place in a partition of the ingest log up to which historic has said what it stored.
CREATE TABLE settled_partitions (
  partition integer NOT NULL,
  log_sequence bigint NOT NULL,
  PRIMARY KEY (partition)
);

-- The position in the log up to which a topic has its events.
CREATE TABLE topic_positions (
  topic text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (topic)
);

-- Bodies that were made for webhooks, on their way or for people to look at (docs/operations/retention.md).
CREATE TABLE webhook_deliveries (
  -- Sent as webhook-id, the same in all tries.
  delivery_id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  -- Order of making.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  -- EVENTS or TEST.
  kind text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  event_count integer NOT NULL,
  created_ms bigint NOT NULL,
  -- PENDING, DELIVERED, FAILED.
  status text COLLATE "C" NOT NULL,
  -- Time of the next try; null = none.
  due_ms bigint,
  -- Asked for by a person: tried once, and no other delivery waits for it.
  is_by_hand boolean NOT NULL,
  -- Tries of the schedule that have failed.
  failed_tries integer NOT NULL DEFAULT 0,
  -- The latest tries, oldest first: [{timeMs, statusCode, error, durationMs}].
  tries jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (delivery_id),
  FOREIGN KEY (webhook_id) REFERENCES webhooks(webhook_id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_ms) WHERE due_ms IS NOT NULL;
-- Events are sent in order: the next delivery is made when this one has arrived or was given up.
CREATE UNIQUE INDEX webhook_deliveries_in_order ON webhook_deliveries (webhook_id) WHERE due_ms IS NOT NULL AND NOT is_by_hand;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, seq DESC);
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (created_ms);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, due_ms) WHERE due_ms IS NOT NULL;

-- Webhooks of accounts: where their events are sent (docs/reference/events.md#webhooks). Times are Unix ms.
CREATE TABLE webhooks (
  webhook_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  -- The filter as GET /events takes it; empty = all events.
  filter text COLLATE "C" NOT NULL,
  is_enabled boolean NOT NULL,
  -- Why the platform has disabled it; null = a person has, or nobody.
  disabled_reason text COLLATE "C",
  -- The account is ACTIVE: one that is disabled sends nothing.
  is_account_active boolean NOT NULL DEFAULT true,
  -- whsec_…: signing takes the secret itself.
  secret text COLLATE "C" NOT NULL,
  -- The secret before the last rotation signs too, until its time has come.
  previous_secret text COLLATE "C",
  previous_until_ms bigint,
  created_ms bigint NOT NULL,
  -- Position in the event log: what lies before it is in a delivery, or does not match the filter.
  position bigint NOT NULL,
  -- Position of the account's newest event, kept by the trigger below.
  newest bigint NOT NULL,
  -- Deliveries that were given up since the last one that arrived.
  failures integer NOT NULL DEFAULT 0,
  last_try jsonb,
  -- Whoever has claimed it works on it until this time; the value is also the proof of the claim.
  leased_until_ms bigint NOT NULL DEFAULT 0,
  -- When it was claimed last: the longest ago is the next.
  served_ms bigint NOT NULL DEFAULT 0,
  -- Not looked at before this time, after its events could not be read.
  paused_until_ms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (webhook_id)
) WITH (fillfactor=70);
CREATE INDEX webhooks_by_owner ON webhooks (owner_id);
CREATE INDEX webhooks_with_news ON webhooks (served_ms) WHERE is_enabled AND is_account_active AND newest > "position";

CREATE OR REPLACE FUNCTION events_in_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('events-position'), hashtext(TG_TABLE_SCHEMA));
  RETURN NULL;
END $function$;

-- Notifies the webhooks of an account that it has news. A trigger, not the service: pods of the version before record events as well.
CREATE OR REPLACE FUNCTION webhooks_have_news()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE webhooks w SET newest = s.position
  FROM (SELECT owner_id, max(position) AS position FROM stored GROUP BY owner_id) s
  WHERE w.owner_id = s.owner_id AND w.newest < s.position;
  RETURN NULL;
END $function$;
