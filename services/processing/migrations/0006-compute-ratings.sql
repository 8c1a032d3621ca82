-- When a rating, or the transform of its input, became what it is; Unix ms, NULL = not known, or a program.
ALTER TABLE programs ADD COLUMN since_ms bigint;

-- All that is computed: programs and ratings. Replicas of the version before know `programs` alone, and so never take a rating for a program.
CREATE TABLE computed (LIKE programs INCLUDING DEFAULTS);
ALTER TABLE programs INHERIT computed;

-- Ratings, a built-in function of one input. Disabled (is_enabled): historic may still compute it.
CREATE TABLE ratings (LIKE programs INCLUDING DEFAULTS INCLUDING INDEXES) INHERITS (computed);
-- NULL: the rating was taken away, and its records go.
ALTER TABLE ratings ADD COLUMN input_node_id text;
-- As in program_plans, the version is plan_version.
ALTER TABLE ratings ADD COLUMN plan text;
CREATE INDEX ratings_by_input ON ratings (input_node_id) WHERE input_node_id IS NOT NULL;
CREATE TRIGGER note_due BEFORE UPDATE OF due ON ratings FOR EACH ROW WHEN (NEW.due AND NOT OLD.due)
  EXECUTE FUNCTION note_due();

-- Times of an input that have changed, and whose results are to be computed again.
CREATE TABLE rating_marks (
  mark_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The rating, not its input.
  node_id text NOT NULL REFERENCES ratings ON DELETE CASCADE,
  -- Without alarms and notifications, as the change itself (notifyOn NONE).
  silent boolean NOT NULL,
  -- Unix ms, both inclusive.
  from_ms bigint NOT NULL,
  to_ms bigint NOT NULL,
  -- Records may have gone anywhere in between.
  clears boolean NOT NULL,
  -- Little-endian doubles, ascending: only these times; NULL = all that the input has in between.
  timestamps bytea,
  marked_time timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX rating_marks_by_node ON rating_marks (node_id, mark_id);

-- Has a row since historic has handed over all ratings: others are new, and may begin at once.
CREATE TABLE ratings_released (released_time timestamptz NOT NULL DEFAULT now());
