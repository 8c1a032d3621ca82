-- Accounts with programs: whose turn it is, and whether anything may run (docs/reference/processing-and-ratings.md#program-runs).
CREATE TABLE accounts (
  owner_id text PRIMARY KEY,
  served_time timestamptz NOT NULL DEFAULT '-infinity',
  is_disabled boolean NOT NULL DEFAULT false
);

-- Process parameters and processors that have a program, as the nodes service reports them, and how far they are.
CREATE TABLE programs (
  node_id text PRIMARY KEY,
  owner_id text NOT NULL,
  workspace_id text NOT NULL,
  source_id text NOT NULL,
  class text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('parameter', 'processor')),
  -- Revision of the node; an older change never replaces a newer one.
  revision bigint NOT NULL,
  -- Digest of the program that is wanted; see ProgramRef.
  digest text NOT NULL,
  is_enabled boolean NOT NULL,
  -- Interval of a processor, ms; NULL = none.
  interval_ms bigint,
  interval_offset_ms bigint NOT NULL DEFAULT 0,

  -- Something that it depends on has changed: it is to be validated, not before check_time.
  needs_check boolean NOT NULL DEFAULT true,
  check_time timestamptz NOT NULL DEFAULT '-infinity',
  -- Its validation found paths that name nothing, or names nodes by patterns: a node that comes may change it.
  follows_account boolean NOT NULL DEFAULT false,
  -- Digest of the program that was validated last.
  checked_digest text,
  -- All that its results depend on; NULL = never valid.
  basis text,
  -- Version of the plan in program_plans; NULL = not valid.
  plan_version text,

  -- A recomputation: the series is emptied with the first page, filled, and then waited for until all of it can be read. NULL = none.
  phase text CHECK (phase IN ('empty', 'fill', 'settle')),
  -- Phase settle: the end of the log when the recomputation was.
  settle_sequence bigint,
  told_from_ms bigint,
  done_records bigint NOT NULL DEFAULT 0,
  told_time timestamptz NOT NULL DEFAULT '-infinity',

  -- There may be something to evaluate.
  due boolean NOT NULL DEFAULT true,
  -- Everything up to here is evaluated; Unix ms, NULL = nothing.
  position_ms bigint,
  -- The tick that runs next; Unix ms.
  tick_ms bigint,
  -- Somebody wants a run; Unix ms: what NOW is.
  acquire_ms bigint,
  -- Newest record of each output, by node id.
  outputs json NOT NULL DEFAULT '{}',
  outputs_time timestamptz NOT NULL DEFAULT '-infinity',
  -- Failed runs in a row.
  failures int NOT NULL DEFAULT 0,
  -- This was reported to the processAlarm; empty = all is well.
  failure text NOT NULL DEFAULT '',
  -- Suspended: input that comes from then on is evaluated.
  suspended_until timestamptz,
  -- Not tried before this, after an error of ours.
  retry_time timestamptz NOT NULL DEFAULT '-infinity',
  served_time timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX programs_due ON programs (owner_id, served_time)
  WHERE due AND phase IS NULL AND is_enabled AND plan_version IS NOT NULL;
CREATE INDEX programs_unfinished ON programs (owner_id, served_time)
  WHERE phase IS NOT NULL AND is_enabled AND plan_version IS NOT NULL;
CREATE INDEX programs_unchecked ON programs (owner_id, check_time) WHERE needs_check;
CREATE INDEX programs_by_tick ON programs (tick_ms) WHERE tick_ms IS NOT NULL;
CREATE INDEX programs_by_source ON programs (source_id);
CREATE INDEX programs_by_workspace ON programs (workspace_id);
CREATE INDEX programs_following ON programs (owner_id) WHERE follows_account;

-- A program runs by this plan, as JSON. It holds the keys of AUTH.
CREATE TABLE program_plans (
  node_id text PRIMARY KEY REFERENCES programs ON DELETE CASCADE,
  version text NOT NULL,
  plan text NOT NULL
);

-- Nodes that a program depends on; of inputs, new records make it due.
CREATE TABLE program_inputs (
  node_id text NOT NULL REFERENCES programs ON DELETE CASCADE,
  on_node_id text NOT NULL,
  is_input boolean NOT NULL,
  PRIMARY KEY (node_id, on_node_id)
);
CREATE INDEX program_inputs_by_node ON program_inputs (on_node_id, is_input);

-- Series that a program writes: the process parameter itself, or children of the processor.
CREATE TABLE program_outputs (
  output_node_id text PRIMARY KEY,
  node_id text NOT NULL REFERENCES programs ON DELETE CASCADE,
  name text NOT NULL
);
CREATE INDEX program_outputs_by_program ON program_outputs (node_id);

-- Ratings, for circles through them.
CREATE TABLE rating_inputs (
  node_id text PRIMARY KEY,
  name text NOT NULL,
  input_node_id text NOT NULL,
  revision bigint NOT NULL
);

-- Programs with new records in an input, or that are to be validated. Beside the programs, so that who marks never waits for one that is
-- being computed.
CREATE TABLE marks (
  mark_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  node_id text NOT NULL REFERENCES programs ON DELETE CASCADE,
  -- A node that it depends on has changed, not its records.
  checks boolean NOT NULL DEFAULT false,
  -- The history of this output was deleted, at this time (Unix ms): its newest record is forgotten. NULL: one of the others.
  forgets text,
  time_ms bigint
);
CREATE INDEX marks_by_node ON marks (node_id);

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  data bytea NOT NULL,
  -- Trace context and request id at the time of the change.
  headers jsonb NOT NULL DEFAULT '{}'
);
-- Messages of the outbox that the broker will never take: kept for people, for 30 days.
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
