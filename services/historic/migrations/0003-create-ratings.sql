-- Ratings as the nodes service tells of them (docs/reference/processing-and-ratings.md#ratings), and what is still to be computed.
CREATE TABLE ratings (
  node_id text PRIMARY KEY,
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
  phase text DEFAULT 'empty' CHECK (phase IN ('empty', 'fill')),
  -- Filled up to before this; first and last input record when filling began. Unix ms.
  position_ms bigint,
  first_ms bigint,
  last_ms bigint,
  -- Input records seen so far.
  done_records bigint NOT NULL DEFAULT 0,
  told_time timestamptz NOT NULL DEFAULT now(),
  -- Not tried before this, after a failure.
  retry_time timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX ratings_by_input ON ratings (input_node_id) WHERE input_node_id IS NOT NULL;
CREATE INDEX ratings_unfinished ON ratings (retry_time) WHERE phase IS NOT NULL;

-- Times of an input that have changed and whose results are to be computed again.
CREATE TABLE rating_marks (
  mark_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
  timestamps bytea
);
CREATE INDEX rating_marks_by_node ON rating_marks (node_id, mark_id);

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  data bytea NOT NULL,
  -- Trace context and request id at the time of the change.
  headers jsonb NOT NULL DEFAULT '{}'
);
