-- Webhooks of accounts: where their events are sent (docs/reference/events.md#webhooks). Times are Unix ms.
CREATE TABLE IF NOT EXISTS webhooks (
  webhook_id text COLLATE "C" PRIMARY KEY,
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
  paused_until_ms bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX IF NOT EXISTS webhooks_by_owner ON webhooks (owner_id);
CREATE INDEX IF NOT EXISTS webhooks_with_news ON webhooks (served_ms)
  WHERE is_enabled AND is_account_active AND newest > position;

-- Bodies that were made for webhooks, on their way or for people to look at (docs/operations/retention.md).
CREATE TABLE IF NOT EXISTS webhook_deliveries (
  -- Sent as webhook-id, the same in all tries.
  delivery_id text COLLATE "C" PRIMARY KEY,
  webhook_id text COLLATE "C" NOT NULL REFERENCES webhooks ON DELETE CASCADE,
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
  tries jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX IF NOT EXISTS webhook_deliveries_newest ON webhook_deliveries (webhook_id, seq DESC);
CREATE INDEX IF NOT EXISTS webhook_deliveries_due ON webhook_deliveries (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX IF NOT EXISTS webhook_deliveries_waiting ON webhook_deliveries (webhook_id, due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX IF NOT EXISTS webhook_deliveries_old ON webhook_deliveries (created_ms);
-- Events are sent in order: the next delivery is made when this one has arrived or was given up.
CREATE UNIQUE INDEX IF NOT EXISTS webhook_deliveries_in_order ON webhook_deliveries (webhook_id)
  WHERE due_ms IS NOT NULL AND NOT is_by_hand;

-- Notifies the webhooks of an account that it has news. A trigger, not the service: pods of the version before record events as well.
CREATE OR REPLACE FUNCTION webhooks_have_news() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE webhooks w SET newest = s.position
  FROM (SELECT owner_id, max(position) AS position FROM stored GROUP BY owner_id) s
  WHERE w.owner_id = s.owner_id AND w.newest < s.position;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER webhooks_have_news AFTER INSERT ON events REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION webhooks_have_news();
