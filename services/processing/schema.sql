-- The tables of processing as its migrations leave them. «npm run generate:schemas» writes this file, and nothing runs it.

-- Accounts with programs: whose turn it is, and whether anything may run (docs/reference/processing-and-ratings.md#program-runs).
CREATE TABLE accounts (
  owner_id text NOT NULL,
  served_time timestamptz NOT NULL DEFAULT '-infinity',
  is_disabled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (owner_id)
);

-- All that is computed: programs and ratings. Replicas of the version before know `programs` alone, and so never take a rating for a program.
CREATE TABLE computed (
  node_id text NOT NULL,
  owner_id text NOT NULL,
  workspace_id text NOT NULL,
  source_id text NOT NULL,
  class text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  revision bigint NOT NULL,
  digest text NOT NULL,
  is_enabled boolean NOT NULL,
  interval_ms bigint,
  interval_offset_ms bigint NOT NULL DEFAULT 0,
  needs_check boolean NOT NULL DEFAULT true,
  check_time timestamptz NOT NULL DEFAULT '-infinity',
  follows_account boolean NOT NULL DEFAULT false,
  checked_digest text,
  basis text,
  plan_version text,
  phase text,
  settle_sequence bigint,
  told_from_ms bigint,
  done_records bigint NOT NULL DEFAULT 0,
  told_time timestamptz NOT NULL DEFAULT '-infinity',
  due boolean NOT NULL DEFAULT true,
  position_ms bigint,
  tick_ms bigint,
  acquire_ms bigint,
  outputs json NOT NULL DEFAULT '{}',
  outputs_time timestamptz NOT NULL DEFAULT '-infinity',
  failures integer NOT NULL DEFAULT 0,
  failure text NOT NULL DEFAULT '',
  suspended_until timestamptz,
  retry_time timestamptz NOT NULL DEFAULT '-infinity',
  served_time timestamptz NOT NULL DEFAULT '-infinity',
  due_since timestamptz NOT NULL DEFAULT now(),
  news_from_ms bigint,
  since_ms bigint
);

-- Programs with new records in an input, or that are to be validated. Beside the programs, so that who marks never waits for one that is
-- being computed.
CREATE TABLE marks (
  mark_id bigint GENERATED ALWAYS AS IDENTITY,
  node_id text NOT NULL,
  -- A node that it depends on has changed, not its records.
  checks boolean NOT NULL DEFAULT false,
  -- The history of this output was deleted, at this time (Unix ms): its newest record is forgotten. NULL: one of the others.
  forgets text,
  time_ms bigint,
  -- Since when a mark waits to be absorbed, for the metric catchment_oldest_unprocessed_seconds.
  marked_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mark_id),
  FOREIGN KEY (node_id) REFERENCES programs(node_id) ON DELETE CASCADE
);
CREATE INDEX marks_by_node ON marks (node_id);

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  data bytea NOT NULL,
  -- Trace context and request id at the time of the change.
  headers jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (id)
);

-- Nodes that a program depends on; of inputs, new records make it due.
CREATE TABLE program_inputs (
  node_id text NOT NULL,
  on_node_id text NOT NULL,
  is_input boolean NOT NULL,
  PRIMARY KEY (node_id, on_node_id),
  FOREIGN KEY (node_id) REFERENCES programs(node_id) ON DELETE CASCADE
);
CREATE INDEX program_inputs_by_node ON program_inputs (on_node_id, is_input);

-- Series that a program writes: the process parameter itself, or children of the processor.
CREATE TABLE program_outputs (
  output_node_id text NOT NULL,
  node_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (output_node_id),
  FOREIGN KEY (node_id) REFERENCES programs(node_id) ON DELETE CASCADE
);
CREATE INDEX program_outputs_by_program ON program_outputs (node_id);

-- A program runs by this plan, as JSON. It holds the keys of AUTH.
CREATE TABLE program_plans (
  node_id text NOT NULL,
  version text NOT NULL,
  plan text NOT NULL,
  PRIMARY KEY (node_id),
  FOREIGN KEY (node_id) REFERENCES programs(node_id) ON DELETE CASCADE
);

-- Process parameters and processors that have a program, as the nodes service reports them, and how far they are.
CREATE TABLE programs (
  PRIMARY KEY (node_id),
  CHECK (kind = ANY (ARRAY['parameter'::text, 'processor'::text])),
  CHECK (phase = ANY (ARRAY['empty'::text, 'fill'::text, 'settle'::text]))
) INHERITS (computed);
CREATE INDEX programs_by_source ON programs (source_id);
CREATE INDEX programs_by_tick ON programs (tick_ms) WHERE tick_ms IS NOT NULL;
CREATE INDEX programs_by_workspace ON programs (workspace_id);
CREATE INDEX programs_due ON programs (owner_id, served_time) WHERE due AND phase IS NULL AND is_enabled AND plan_version IS NOT NULL;
CREATE INDEX programs_following ON programs (owner_id) WHERE follows_account;
CREATE INDEX programs_unchecked ON programs (owner_id, check_time) WHERE needs_check;
CREATE INDEX programs_unfinished ON programs (owner_id, served_time) WHERE phase IS NOT NULL AND is_enabled AND plan_version IS NOT NULL;
CREATE TRIGGER note_due BEFORE UPDATE OF due ON programs FOR EACH ROW WHEN (new.due AND NOT old.due) EXECUTE FUNCTION note_due();

-- Ratings, for circles through them.
CREATE TABLE rating_inputs (
  node_id text NOT NULL,
  name text NOT NULL,
  input_node_id text NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (node_id)
);
-- Lists what is computed from a series, for people who want to change it.
CREATE INDEX rating_inputs_by_input ON rating_inputs (input_node_id);

-- Times of an input that have changed, and whose results are to be computed again.
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
  marked_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mark_id),
  FOREIGN KEY (node_id) REFERENCES ratings(node_id) ON DELETE CASCADE
);
CREATE INDEX rating_marks_by_node ON rating_marks (node_id, mark_id);

-- Ratings, a built-in function of one input. Disabled (is_enabled): historic may still compute it.
CREATE TABLE ratings (
  -- NULL: the rating was taken away, and its records go.
  input_node_id text,
  -- As in program_plans, the version is plan_version.
  plan text,
  PRIMARY KEY (node_id)
) INHERITS (computed);
CREATE INDEX ratings_by_input ON ratings (input_node_id) WHERE input_node_id IS NOT NULL;
CREATE INDEX ratings_owner_id_check_time_idx ON ratings (owner_id, check_time) WHERE needs_check;
CREATE INDEX ratings_owner_id_idx ON ratings (owner_id) WHERE follows_account;
CREATE INDEX ratings_owner_id_served_time_idx ON ratings (owner_id, served_time) WHERE due AND phase IS NULL AND is_enabled AND plan_version IS NOT NULL;
CREATE INDEX ratings_owner_id_served_time_idx1 ON ratings (owner_id, served_time) WHERE phase IS NOT NULL AND is_enabled AND plan_version IS NOT NULL;
CREATE INDEX ratings_source_id_idx ON ratings (source_id);
CREATE INDEX ratings_tick_ms_idx ON ratings (tick_ms) WHERE tick_ms IS NOT NULL;
CREATE INDEX ratings_workspace_id_idx ON ratings (workspace_id);
CREATE TRIGGER note_due BEFORE UPDATE OF due ON ratings FOR EACH ROW WHEN (new.due AND NOT old.due) EXECUTE FUNCTION note_due();

-- Has a row since historic has handed over all ratings: others are new, and may begin at once.
CREATE TABLE ratings_released (
  released_time timestamptz NOT NULL DEFAULT now()
);

-- Messages of the outbox that the broker will never take: kept for people, for 30 days.
CREATE TABLE refused_outbox (
  id bigint NOT NULL,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL,
  -- The broker said this.
  reason text NOT NULL,
  refused_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id)
);
CREATE INDEX refused_outbox_by_time ON refused_outbox (refused_time);

CREATE OR REPLACE FUNCTION note_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.due_since := now();
  RETURN NEW;
END $function$;
