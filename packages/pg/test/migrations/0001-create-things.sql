CREATE TABLE IF NOT EXISTS things (id int PRIMARY KEY, name text UNIQUE, big bigint);
CREATE TABLE IF NOT EXISTS outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL
);
CREATE TABLE IF NOT EXISTS refused_outbox (
  id bigint PRIMARY KEY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL,
  -- What the broker said.
  reason text NOT NULL,
  refused_time timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS refused_outbox_by_time ON refused_outbox (refused_time);
