-- Several InfluxDBs (docs/adr/0027-shards.md). Without INFLUX_SHARDS all of these are empty, and nothing asks for them but once a second.

-- InfluxDBs besides `default`, by the names of INFLUX_SHARDS. Not active: replicas may run that have not heard of it yet.
CREATE TABLE shards (
  name text COLLATE "C" PRIMARY KEY,
  -- Short name of its writers in APPLIED; `default` is 0.
  number int GENERATED ALWAYS AS IDENTITY,
  registered_time timestamptz NOT NULL DEFAULT now(),
  is_active boolean NOT NULL DEFAULT false
);

-- Where new series of a workspace go.
CREATE TABLE workspace_shards (
  workspace_id text COLLATE "C" PRIMARY KEY,
  shard text NOT NULL,
  assigned_time timestamptz NOT NULL DEFAULT now()
);

-- Where the records of a series are; without a row: `default`. Made before the first record gets into the log.
CREATE TABLE series_shards (
  node_id text COLLATE "C" PRIMARY KEY,
  shard text NOT NULL
);
CREATE INDEX series_shards_by_shard ON series_shards (shard);

-- How far the writer of a shard has come in each partition of the log.
CREATE TABLE shard_claims (
  partition int NOT NULL,
  shard text COLLATE "C" NOT NULL,
  -- The last message that was begun: written before the places of its series are looked up, so that a boundary behind it cannot
  -- have been missed by anybody.
  claimed bigint NOT NULL DEFAULT 0,
  -- The last message that is done.
  applied bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (partition, shard)
);

-- Moves of workspaces, as they were asked for.
CREATE TABLE shard_moves (
  move_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id text NOT NULL,
  owner_id text NOT NULL,
  to_shard text NOT NULL,
  state text NOT NULL DEFAULT 'moving' CHECK (state IN ('moving', 'done', 'cancelled')),
  series_moved int NOT NULL DEFAULT 0,
  -- The last node that was looked at; '': the next round over all nodes of the account begins.
  scanned_to text COLLATE "C" NOT NULL DEFAULT '',
  records_copied bigint NOT NULL DEFAULT 0,
  -- The last error; NULL: the last step succeeded.
  failure text,
  next_try timestamptz NOT NULL DEFAULT '-infinity',
  asked_time timestamptz NOT NULL DEFAULT now(),
  ended_time timestamptz
);
CREATE UNIQUE INDEX shard_moves_of_workspace ON shard_moves (workspace_id) WHERE state = 'moving';

-- Series of a move that change their shard together: they belong to from_shard up to a place of the log, behind it to to_shard.
CREATE TABLE shard_portions (
  portion_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  move_id bigint NOT NULL REFERENCES shard_moves,
  from_shard text NOT NULL,
  to_shard text NOT NULL,
  -- preparing: writers that do not know of it finish what they have begun. cutting: what is behind the boundaries waits. left: the
  -- records at from_shard are still there. cancelling: those at to_shard are.
  state text NOT NULL DEFAULT 'preparing' CHECK (state IN ('preparing', 'copying', 'cutting', 'left', 'moved', 'cancelling', 'cancelled')),
  -- By partition, from 1: the last sequence of from_shard. While it is prepared: what writers may have begun without knowing of it.
  boundaries bigint[] NOT NULL,
  -- Whoever sees it later takes the boundaries back.
  cut_until timestamptz,
  moved_time timestamptz
);
CREATE INDEX shard_portions_of_move ON shard_portions (move_id);
CREATE INDEX shard_portions_open ON shard_portions (portion_id) WHERE state NOT IN ('moved', 'cancelled');

-- Series of a portion.
CREATE TABLE portion_series (
  portion_id bigint NOT NULL REFERENCES shard_portions ON DELETE CASCADE,
  node_id text COLLATE "C" NOT NULL,
  -- Its records before this time are copied, Unix ms; NULL: not begun.
  copied_ms bigint,
  is_copied boolean NOT NULL DEFAULT false,
  PRIMARY KEY (node_id, portion_id)
);
CREATE INDEX portion_series_by_portion ON portion_series (portion_id) WHERE NOT is_copied;

-- Parts of series that were written while they are moved, and are to be copied again.
CREATE TABLE portion_changes (
  portion_id bigint NOT NULL REFERENCES shard_portions ON DELETE CASCADE,
  node_id text COLLATE "C" NOT NULL,
  -- Changes close to each other are one: of 2^30 ms; -1 for what is larger.
  bucket int NOT NULL,
  -- Unix ms, both inclusive.
  from_ms bigint NOT NULL,
  to_ms bigint NOT NULL,
  -- Records may have been removed.
  clears boolean NOT NULL,
  -- Another one since it was read: it is not done with.
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (portion_id, node_id, bucket)
);

-- Writers of several shards stand at different places of a partition: each keeps and drops its own.
ALTER TABLE column_parts ADD COLUMN shard text NOT NULL DEFAULT 'default';
ALTER TABLE write_observations ADD COLUMN shard text NOT NULL DEFAULT 'default';
