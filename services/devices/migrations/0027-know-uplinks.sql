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
