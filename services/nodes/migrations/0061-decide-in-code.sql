-- What a change of nodes makes due is decided by the service (src/nodes/domain/stored-change.ts). Its connections say so by a setting; the triggers decide
-- for pods of the release before, which do not say it. The next release drops them.
CREATE OR REPLACE TRIGGER new_follower AFTER INSERT ON nodes
  FOR EACH ROW WHEN (NEW.config ->> 'coordinateSourceId' IS NOT NULL AND current_setting('catchment.decides', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION announce_coordinate_sources();
CREATE OR REPLACE TRIGGER changed_follower AFTER UPDATE OF config ON nodes
  FOR EACH ROW WHEN (current_setting('catchment.decides', true) IS DISTINCT FROM 'on'
    AND (NEW.config -> 'coordinateSourceId', NEW.config -> 'coordinateSeries')
      IS DISTINCT FROM (OLD.config -> 'coordinateSourceId', OLD.config -> 'coordinateSeries'))
  EXECUTE FUNCTION announce_coordinate_sources();
CREATE OR REPLACE TRIGGER new_report_schedule AFTER INSERT ON nodes
  FOR EACH ROW WHEN (NEW.class = 'Report' AND NEW.config -> 'schedule' IS NOT NULL
    AND current_setting('catchment.decides', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION mark_report_schedule();
CREATE OR REPLACE TRIGGER changed_report_schedule AFTER UPDATE OF config ON nodes
  FOR EACH ROW WHEN (NEW.class = 'Report' AND current_setting('catchment.decides', true) IS DISTINCT FROM 'on'
    AND (NEW.config -> 'schedule', NEW.config -> 'timezone', NEW.config -> 'timezoneAdjustForDst')
      IS DISTINCT FROM (OLD.config -> 'schedule', OLD.config -> 'timezone', OLD.config -> 'timezoneAdjustForDst'))
  EXECUTE FUNCTION mark_report_schedule();
CREATE OR REPLACE TRIGGER new_attachment AFTER INSERT ON nodes
  FOR EACH ROW WHEN (NEW.class = 'Attachment' AND current_setting('catchment.decides', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION show_newest_attachment();
CREATE OR REPLACE TRIGGER gone_attachment AFTER DELETE ON nodes
  FOR EACH ROW WHEN (OLD.class = 'Attachment' AND current_setting('catchment.decides', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION show_newest_attachment();
-- Whoever raises the count has computed the shown values; no setting is read for these.
CREATE OR REPLACE TRIGGER changed_values AFTER UPDATE OF current_ms, current_value, previous_value, oldest_value ON node_values
  FOR EACH ROW WHEN (NEW.shown_count = OLD.shown_count AND current_setting('catchment.decides', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION mark_stale();
CREATE OR REPLACE TRIGGER changed_config AFTER UPDATE OF config ON nodes
  FOR EACH ROW WHEN (current_setting('catchment.decides', true) IS DISTINCT FROM 'on'
    AND (NEW.config -> 'multiplier', NEW.config -> 'offset', NEW.config -> 'equation', NEW.config -> 'statesType',
      NEW.config -> 'states', NEW.config -> 'isEnabled', NEW.config -> 'scheduleType')
    IS DISTINCT FROM (OLD.config -> 'multiplier', OLD.config -> 'offset', OLD.config -> 'equation', OLD.config -> 'statesType',
      OLD.config -> 'states', OLD.config -> 'isEnabled', OLD.config -> 'scheduleType'))
  EXECUTE FUNCTION mark_stale();
CREATE OR REPLACE TRIGGER reported_first_state AFTER INSERT ON node_alarms
  FOR EACH ROW WHEN (NEW.current_state_id IS NOT NULL AND current_setting('catchment.decides', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION mark_stale();
CREATE OR REPLACE TRIGGER reported_state AFTER UPDATE OF current_state_id, current_state_ms ON node_alarms
  FOR EACH ROW WHEN (current_setting('catchment.decides', true) IS DISTINCT FROM 'on'
    AND (NEW.current_state_id, NEW.current_state_ms) IS DISTINCT FROM (OLD.current_state_id, OLD.current_state_ms))
  EXECUTE FUNCTION mark_stale();
