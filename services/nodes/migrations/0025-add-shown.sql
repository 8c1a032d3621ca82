-- What a node shows of its data and its status, computed in one place (src/shown/domain/shown.ts) whenever something that it is made of
-- changes, and stored beside the values.
ALTER TABLE node_values
  -- The record's value with multiplier and offset; NULL where it is no finite number.
  ADD COLUMN current_number double precision,
  ADD COLUMN previous_number double precision,
  ADD COLUMN oldest_number double precision,
  -- Id of the record's state; NULL = none.
  ADD COLUMN current_state text COLLATE "C",
  ADD COLUMN previous_state text COLLATE "C",
  ADD COLUMN oldest_state text COLLATE "C",
  -- Sources: currentStatus.
  ADD COLUMN status text COLLATE "C",
  -- Grows with every change of values that comes with what is shown of them.
  ADD COLUMN shown_count bigint NOT NULL DEFAULT 0,
  -- The columns above are behind: rows of before this migration, and whatever a writer leaves that does not compute them.
  ADD COLUMN is_stale boolean NOT NULL DEFAULT true;

CREATE FUNCTION mark_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE node_values SET is_stale = true WHERE node_id = NEW.node_id AND NOT is_stale;
  RETURN NULL;
END
$$;

-- Values change thousands of times a second: whoever computes what is shown in the same statement raises the count, and nothing runs.
-- Pods of the release before this one do not.
CREATE TRIGGER changed_values AFTER UPDATE OF current_ms, current_value, previous_value, oldest_value ON node_values
  FOR EACH ROW WHEN (NEW.shown_count = OLD.shown_count) EXECUTE FUNCTION mark_stale();
-- The rest changes seldom: it is marked whoever changes it, and computed anew in the same transaction or by the next pass. Of a
-- configuration these are what the function reads (CONFIG in src/shown/store/pg-shown.ts).
CREATE TRIGGER changed_config AFTER UPDATE OF config ON nodes
  FOR EACH ROW WHEN ((NEW.config -> 'multiplier', NEW.config -> 'offset', NEW.config -> 'statesType', NEW.config -> 'states',
      NEW.config -> 'isEnabled', NEW.config -> 'scheduleType')
    IS DISTINCT FROM (OLD.config -> 'multiplier', OLD.config -> 'offset', OLD.config -> 'statesType', OLD.config -> 'states',
      OLD.config -> 'isEnabled', OLD.config -> 'scheduleType'))
  EXECUTE FUNCTION mark_stale();
CREATE TRIGGER reported_first_state AFTER INSERT ON node_alarms
  FOR EACH ROW WHEN (NEW.current_state_id IS NOT NULL) EXECUTE FUNCTION mark_stale();
CREATE TRIGGER reported_state AFTER UPDATE OF current_state_id, current_state_ms ON node_alarms
  FOR EACH ROW WHEN ((NEW.current_state_id, NEW.current_state_ms) IS DISTINCT FROM (OLD.current_state_id, OLD.current_state_ms))
  EXECUTE FUNCTION mark_stale();
