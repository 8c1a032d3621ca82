-- The tables of historic as its migrations leave them. «npm run generate:schemas» writes this file, and nothing runs it.

-- Backups under way: until then nothing is removed that decides what messages of the log did (docs/adr/0026-backup.md). A backup renews its
-- row; that of one whose process died ends by itself.
CREATE TABLE backup_holds (
  hold_id text NOT NULL,
  held_until timestamptz NOT NULL,
  PRIMARY KEY (hold_id)
);

-- Parts of columns that did not fit into one message, until the last one is there.
CREATE TABLE column_parts (
  column_key text NOT NULL,
  part integer NOT NULL,
  partition integer NOT NULL,
  -- One column as a message of the ingest log.
  data bytea NOT NULL,
  -- Log sequence of the message with the last part: once a later message comes, nobody needs the parts any more.
  completed_by bigint,
  staged_time timestamptz NOT NULL DEFAULT now(),
  -- Writers of several shards stand at different places of a partition: each keeps and drops its own.
  shard text NOT NULL DEFAULT 'default',
  PRIMARY KEY (column_key, part)
);
CREATE INDEX column_parts_by_partition ON column_parts (partition, completed_by);

-- Rows of each data source by UTC day, for the daily limits (docs/reference/writing.md#daily-limits). Counted upwards:
-- overwriting a row counts again, deleting does not count back, so a count is never below the truth; near a limit it is put
-- right from the store.
CREATE TABLE daily_rows (
  source_id text NOT NULL,
  -- Days since 1970-01-01.
  day integer NOT NULL,
  -- Rows that arrived on this day.
  acquired integer NOT NULL DEFAULT 0,
  -- Rows dated this day.
  stored integer NOT NULL DEFAULT 0,
  touched_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, day)
);
CREATE INDEX daily_rows_by_touched_time ON daily_rows (touched_time);

-- Series whose deletion has passed the log: the writer drops every later entry of them.
CREATE TABLE deleted_series (
  node_id text NOT NULL,
  deleted_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (node_id)
);
CREATE INDEX deleted_series_by_time ON deleted_series (deleted_time);

-- Acquisitions that began exempt from the acquisition limit and are so to their end (docs/reference/writing.md#daily-limits).
CREATE TABLE exempt_acquisitions (
  source_id text NOT NULL,
  -- Chosen by devices: of a file, or of the sessions until one has succeeded.
  acquisition_id text NOT NULL,
  begun_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source_id, acquisition_id)
);
CREATE INDEX exempt_acquisitions_by_begun_time ON exempt_acquisitions (begun_time);

-- The bytes of the files of exports.
CREATE TABLE export_segments (
  export_id text COLLATE "C" NOT NULL,
  -- From 0.
  segment integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (export_id, segment),
  FOREIGN KEY (export_id) REFERENCES exports(export_id) ON DELETE CASCADE
);

-- Exports (docs/reference/writing.md#exports): what is asked for, how far it is, and for 12 hours the file.
CREATE TABLE exports (
  export_id text COLLATE "C" NOT NULL,
  owner_id text NOT NULL,
  -- Whose it is: others do not see it.
  user_id text NOT NULL,
  -- domain/export.ts: ExportPlan.
  plan jsonb NOT NULL,
  -- Who reads the records (packages/access, ApiCaller).
  caller jsonb NOT NULL,
  series_done integer NOT NULL DEFAULT 0,
  records bigint NOT NULL DEFAULT 0,
  -- The size of the file; NULL: it is not complete.
  size_bytes bigint,
  -- NULL: it goes on, or is done.
  failure text,
  created_time timestamptz NOT NULL DEFAULT now(),
  ended_time timestamptz,
  tries integer NOT NULL DEFAULT 0,
  -- Not begun before this.
  next_try timestamptz NOT NULL DEFAULT '-infinity',
  -- Whoever makes it renews the lease; after this any replica begins it again.
  lease_id text,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (export_id)
);
CREATE INDEX exports_ended ON exports (ended_time) WHERE ended_time IS NOT NULL;
CREATE INDEX exports_owner ON exports (owner_id, user_id, created_time);
CREATE INDEX exports_waiting ON exports (created_time) WHERE ended_time IS NULL;

-- Has a row since processing has asked: no replica takes a rating any more.
CREATE TABLE hand_over (
  begun_time timestamptz NOT NULL DEFAULT now()
);

-- The series catalogue: what historic needs to know of every node, kept current by following the nodes service.
CREATE TABLE node_replica (
  node_id text NOT NULL,
  owner_id text NOT NULL,
  -- The data source of a parameter; the node itself for all others.
  source_id text NOT NULL,
  -- '' when unset.
  custom_id text NOT NULL,
  -- Grows with every change; an older one never replaces a newer one.
  revision bigint NOT NULL,
  -- catchment.nodes.v1.NodeConfig; empty on tombstones.
  config bytea NOT NULL,
  -- When a node was deleted: the row is purged once nothing under way can need it.
  deleted_time timestamptz,
  CONSTRAINT catalogue_pkey PRIMARY KEY (node_id)
);
CREATE INDEX node_replica_by_custom_id ON node_replica (owner_id, custom_id) WHERE custom_id <> ''::text AND deleted_time IS NULL;
CREATE INDEX node_replica_by_owner ON node_replica (owner_id, node_id) WHERE deleted_time IS NULL;
CREATE INDEX node_replica_by_source ON node_replica (source_id) WHERE deleted_time IS NULL;
CREATE INDEX node_replica_deleted ON node_replica (deleted_time) WHERE deleted_time IS NOT NULL;

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  data bytea NOT NULL,
  -- Trace context and request id at the time of the change.
  headers jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (id)
);

-- Parts of series that were written while they are moved, and are to be copied again.
CREATE TABLE portion_changes (
  portion_id bigint NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  -- Changes close to each other are one: of 2^30 ms; -1 for what is larger.
  bucket integer NOT NULL,
  -- Unix ms, both inclusive.
  from_ms bigint NOT NULL,
  to_ms bigint NOT NULL,
  -- Records may have been removed.
  clears boolean NOT NULL,
  -- Another one since it was read: it is not done with.
  version integer NOT NULL DEFAULT 0,
  PRIMARY KEY (portion_id, node_id, bucket),
  FOREIGN KEY (portion_id) REFERENCES shard_portions(portion_id) ON DELETE CASCADE
);

-- Series of a portion.
CREATE TABLE portion_series (
  portion_id bigint NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  -- Its records before this time are copied, Unix ms; NULL: not begun.
  copied_ms bigint,
  is_copied boolean NOT NULL DEFAULT false,
  -- The copy that is no longer needed is gone.
  is_removed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (node_id, portion_id),
  FOREIGN KEY (portion_id) REFERENCES shard_portions(portion_id) ON DELETE CASCADE
);
CREATE INDEX portion_series_by_portion ON portion_series (portion_id) WHERE NOT is_copied;

-- Times of an input that have changed and whose results are to be computed again.
CREATE TABLE rating_marks (
  mark_id bigint GENERATED ALWAYS AS IDENTITY,
  -- The rating, not its input.
  node_id text NOT NULL,
  -- Without alarms and notifications, as the change itself (notifyOn NONE).
  silent boolean NOT NULL,
  -- Unix ms, both inclusive.
  from_ms bigint NOT NULL,
  to_ms bigint NOT NULL,
  -- Records may have gone anywhere in between.
  clears boolean NOT NULL,
  -- Little-endian doubles, ascending: only these times; NULL = all that the input has in between.
  timestamps bytea,
  PRIMARY KEY (mark_id)
);
CREATE INDEX rating_marks_by_node ON rating_marks (node_id, mark_id);

-- Ratings as the nodes service tells of them (docs/reference/processing-and-ratings.md#ratings), and what is still to be computed.
CREATE TABLE ratings (
  node_id text NOT NULL,
  owner_id text NOT NULL,
  workspace_id text NOT NULL,
  source_id text NOT NULL,
  class text NOT NULL,
  -- The revision of the node: an older change never replaces a newer one.
  revision bigint NOT NULL,
  -- NULL: the rating was taken away, its records go.
  input_node_id text,
  -- The digest of the rating that is wanted (RatingRef).
  digest text NOT NULL,
  -- catchment.nodes.v1.Rating, once it has been asked for.
  config bytea,
  -- The input's transform that all records are computed with; NULL = to be found out.
  input_multiplier double precision,
  input_offset double precision,
  -- The recomputation: the series is emptied, then filled from its first input record on. NULL = done.
  phase text DEFAULT 'empty',
  -- Filled up to before this; first and last input record when filling began. Unix ms.
  position_ms bigint,
  first_ms bigint,
  last_ms bigint,
  -- Input records seen so far.
  done_records bigint NOT NULL DEFAULT 0,
  told_time timestamptz NOT NULL DEFAULT now(),
  -- Not tried before this, after a failure.
  retry_time timestamptz NOT NULL DEFAULT '-infinity',
  -- The processAlarm reports that the rating cannot be computed, until it can be again.
  has_failed boolean NOT NULL DEFAULT false,
  -- When the rating, or its input's transform, became what it is; Unix ms. NULL: not known.
  since_ms bigint,
  -- While it is computed anew, results from this time on are announced: they are newer than all that the input had then.
  news_from_ms bigint,
  settle_sequence bigint,
  -- The equation of the input's transform; empty = none. Then input_multiplier and input_offset hold what takes effect, otherwise 1 and 0.
  input_equation text NOT NULL DEFAULT '',
  -- The processing service computes ratings. Replicas of the version before still store here what becomes of ratings, and of their inputs, and
  -- compute them until processing asks for them; what they store after that is handed over.
  handed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (node_id),
  CHECK (phase = ANY (ARRAY['empty'::text, 'fill'::text, 'settle'::text]))
);
CREATE INDEX ratings_by_input ON ratings (input_node_id) WHERE input_node_id IS NOT NULL;
CREATE INDEX ratings_unfinished ON ratings (retry_time) WHERE phase IS NOT NULL;
CREATE TRIGGER compute_no_rating BEFORE INSERT OR UPDATE ON ratings FOR EACH ROW EXECUTE FUNCTION compute_no_rating();

-- Accounts whose records are removed when they are older than so many days (docs/operations/retention.md). An account whose records are
-- kept for ever has no row.
CREATE TABLE record_retention (
  owner_id text COLLATE "C" NOT NULL,
  days integer NOT NULL,
  -- When these days were first seen.
  since_time timestamptz NOT NULL DEFAULT now(),
  -- The next step, Unix ms. Of days that are new: after a time in which they can be taken back.
  next_ms bigint NOT NULL,
  -- The sweep under way removes records before this time, Unix ms; NULL: none is under way.
  cutoff_ms bigint,
  -- The sweep under way has looked at this node last, and has found so many series with such records.
  position text NOT NULL DEFAULT '',
  series integer NOT NULL DEFAULT 0,
  -- The cutoff of the last sweep that came to its end; NULL: none with these days.
  swept_to_ms bigint,
  PRIMARY KEY (owner_id),
  CHECK (days > 0)
);
CREATE INDEX record_retention_due ON record_retention (next_ms);

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

-- Where the records of a series are; without a row: `default`. Made before the first record gets into the log.
CREATE TABLE series_shards (
  node_id text COLLATE "C" NOT NULL,
  shard text NOT NULL,
  PRIMARY KEY (node_id)
);
CREATE INDEX series_shards_by_shard ON series_shards (shard);

-- How far the writer of a shard has come in each partition of the log.
CREATE TABLE shard_claims (
  partition integer NOT NULL,
  shard text COLLATE "C" NOT NULL,
  -- The last message that is done.
  applied bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (partition, shard)
);

-- Moves of workspaces, as they were asked for.
-- The boundaries of a move are messages of the log now (docs/adr/0042-one-sequence.md), and writers claim nothing before they begin. So
-- replicas of the version before must move nothing any more: to them no move is ever due. What they have begun is gone on with here.
CREATE TABLE shard_moves (
  move_id bigint GENERATED ALWAYS AS IDENTITY,
  workspace_id text NOT NULL,
  owner_id text NOT NULL,
  to_shard text NOT NULL,
  state text NOT NULL DEFAULT 'moving',
  series_moved integer NOT NULL DEFAULT 0,
  records_copied bigint NOT NULL DEFAULT 0,
  -- The last error; NULL: the last step succeeded.
  failure text,
  asked_time timestamptz NOT NULL DEFAULT now(),
  ended_time timestamptz,
  try_time timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (move_id),
  CHECK (state = ANY (ARRAY['moving'::text, 'done'::text, 'cancelled'::text]))
);
CREATE UNIQUE INDEX shard_moves_of_workspace ON shard_moves (workspace_id) WHERE state = 'moving'::text;

-- Series of a move that change their shard together: they belong to from_shard up to a place of the log, behind it to to_shard.
CREATE TABLE shard_portions (
  portion_id bigint GENERATED ALWAYS AS IDENTITY,
  move_id bigint NOT NULL,
  from_shard text NOT NULL,
  to_shard text NOT NULL,
  -- preparing: writers that do not know of it finish what they have begun. cutting: what is behind the boundaries waits. left: the
  -- records at from_shard are still there. cancelling: those at to_shard are.
  state text NOT NULL DEFAULT 'preparing',
  -- By partition, from 1: the last sequence of from_shard. While it is prepared: what writers may have begun without knowing of it.
  boundaries bigint[] NOT NULL DEFAULT '{}'::bigint[],
  -- Whoever sees it later takes the boundaries back.
  cut_until timestamptz,
  moved_time timestamptz,
  -- The last error of the removal of copies that are no longer needed, and when it is tried again.
  failure text,
  next_try timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (portion_id),
  FOREIGN KEY (move_id) REFERENCES shard_moves(move_id),
  CHECK (state = ANY (ARRAY['preparing'::text, 'copying'::text, 'cutting'::text, 'left'::text, 'moved'::text, 'cancelling'::text, 'cancelled'::text]))
);
CREATE INDEX shard_portions_of_move ON shard_portions (move_id);
CREATE INDEX shard_portions_open ON shard_portions (portion_id) WHERE state <> ALL (ARRAY['moved'::text, 'cancelled'::text]);

-- InfluxDBs besides `default`, by the names of INFLUX_SHARDS. Not active: replicas may run that have not heard of it yet.
CREATE TABLE shards (
  name text COLLATE "C" NOT NULL,
  -- Short name of its writers in APPLIED; `default` is 0.
  number integer GENERATED ALWAYS AS IDENTITY,
  registered_time timestamptz NOT NULL DEFAULT now(),
  is_active boolean NOT NULL DEFAULT false,
  -- Takes no new workspaces: it is about to be removed.
  is_drained boolean NOT NULL DEFAULT false,
  PRIMARY KEY (name)
);

-- Where new series of a workspace go.
CREATE TABLE workspace_shards (
  workspace_id text COLLATE "C" NOT NULL,
  shard text NOT NULL,
  assigned_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id)
);

-- What was in the store before the writes of a message whose mode depends on it (MERGE_PRESERVE/UPDATE/FAIL_ON_EXISTING,
-- INSERT_FAIL_ON_EXISTING): a message that comes again is decided by this, not by what it has written itself.
-- A partition keeps only the rows of its newest such message.
CREATE TABLE write_observations (
  partition integer NOT NULL,
  log_sequence bigint NOT NULL,
  -- Index of the column's entry in the message.
  entry integer NOT NULL,
  -- SHA-256 of the message: the sequence alone would be taken for another one where the stream was made anew.
  message_digest bytea NOT NULL,
  -- One byte per record: live parts (1 value, 2 quality, 4 annotation), 0 = no record; or a single 0 or 1 for the range.
  presence bytea NOT NULL,
  shard text NOT NULL DEFAULT 'default',
  PRIMARY KEY (partition, log_sequence, entry)
);

CREATE OR REPLACE FUNCTION compute_no_rating()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'historic'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM hand_over) THEN NEW.retry_time := 'infinity'; END IF;
  RETURN NEW;
END $function$;
