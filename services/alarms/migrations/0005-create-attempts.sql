-- The last message that reported how an attempt of a service ended, by node and kind: what comes twice or late changes nothing.
CREATE TABLE attempts (
  node_id text COLLATE "C" NOT NULL,
  -- session, configuration, control or run.
  kind text COLLATE "C" NOT NULL,
  -- In the stream of domain events.
  log_sequence bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (node_id, kind)
);
