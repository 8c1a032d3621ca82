-- Shown values of a node: computed by one function (src/shown/domain/shown.ts) when something that they depend on changes.
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
  -- Grows whenever the shown values are computed.
  ADD COLUMN shown_count bigint NOT NULL DEFAULT 0,
  -- The shown values are out of date: the row is from before this migration, or its last writer did not compute them.
  ADD COLUMN is_stale boolean NOT NULL DEFAULT true;

CREATE FUNCTION mark_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Also where it is true: so this change waits for whoever is just computing the row from what was before.
  UPDATE node_values SET is_stale = true WHERE node_id = NEW.node_id;
  RETURN NULL;
END
$$;

-- Values change thousands of times a second. A statement that also computes the shown values raises the count, and no function is called;
-- pods of the release before do not raise it.
CREATE TRIGGER changed_values AFTER UPDATE OF current_ms, current_value, previous_value, oldest_value ON node_values
  FOR EACH ROW WHEN (NEW.shown_count = OLD.shown_count) EXECUTE FUNCTION mark_stale();
-- Configuration and reported states change seldom: every change marks the row, and the shown values are computed in the same transaction or
-- by the next pass. These attributes are the ones that the function reads (CONFIG in src/shown/store/shown-query.ts).
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
