-- Does the same as migration 0025, with the attribute `equation`.
CREATE OR REPLACE TRIGGER changed_config AFTER UPDATE OF config ON nodes
  FOR EACH ROW WHEN ((NEW.config -> 'multiplier', NEW.config -> 'offset', NEW.config -> 'equation', NEW.config -> 'statesType',
      NEW.config -> 'states', NEW.config -> 'isEnabled', NEW.config -> 'scheduleType')
    IS DISTINCT FROM (OLD.config -> 'multiplier', OLD.config -> 'offset', OLD.config -> 'equation', OLD.config -> 'statesType',
      OLD.config -> 'states', OLD.config -> 'isEnabled', OLD.config -> 'scheduleType'))
  EXECUTE FUNCTION mark_stale();
