-- Accounts whose records are removed when they are older than so many days (docs/operations/retention.md). An account whose records are
-- kept for ever has no row.
CREATE TABLE record_retention (
  owner_id text COLLATE "C" PRIMARY KEY,
  days int NOT NULL CHECK (days > 0),
  -- When these days were first seen.
  since_time timestamptz NOT NULL DEFAULT now(),
  -- The next step, Unix ms. Of days that are new: after a time in which they can be taken back.
  next_ms bigint NOT NULL,
  -- The sweep under way removes records before this time, Unix ms; NULL: none is under way.
  cutoff_ms bigint,
  -- The sweep under way has looked at this node last, and has found so many series with such records.
  position text NOT NULL DEFAULT '',
  series int NOT NULL DEFAULT 0,
  -- The cutoff of the last sweep that came to its end; NULL: none with these days.
  swept_to_ms bigint
);
CREATE INDEX record_retention_due ON record_retention (next_ms);

CREATE INDEX node_replica_by_owner ON node_replica (owner_id, node_id) WHERE deleted_time IS NULL;
