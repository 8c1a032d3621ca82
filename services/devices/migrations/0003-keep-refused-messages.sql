-- Messages of the outbox that the broker will never take (too large, no stream for their subject): kept for people, for 30 days.
CREATE TABLE refused_outbox (
  id bigint PRIMARY KEY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL,
  -- The broker said this.
  reason text NOT NULL,
  refused_time timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refused_outbox_by_time ON refused_outbox (refused_time);
