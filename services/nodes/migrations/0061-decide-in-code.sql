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
