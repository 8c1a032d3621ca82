-- Scheduled reports (docs/reference/dashboards-and-reports.md#schedules).

-- Reports that have had a schedule, and when they are due. A row says nothing of what its report is at the moment: whoever takes it reads that.
CREATE TABLE report_schedules (
  node_id text COLLATE "C" PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  -- Unix ms; NULL = never: the schedule was taken away or switched off, or the report lies in a template.
  due_ms bigint,
  -- The due time that was last taken, Unix ms: at most one in a day of the report's zone.
  last_ms bigint,
  -- The schedule or the zone has changed since due_ms was computed.
  is_stale boolean NOT NULL DEFAULT true
);
CREATE INDEX report_schedules_due ON report_schedules (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX report_schedules_stale ON report_schedules (node_id) WHERE is_stale;

CREATE FUNCTION mark_report_schedule() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Also where it is true: so this change waits for whoever is just computing the row from what was before.
  INSERT INTO report_schedules (node_id) VALUES (NEW.node_id) ON CONFLICT (node_id) DO UPDATE SET is_stale = true;
  RETURN NULL;
END
$$;
-- Whoever makes the change: callers, clones, templates.
CREATE TRIGGER new_report_schedule AFTER INSERT ON nodes
  FOR EACH ROW WHEN (NEW.class = 'Report' AND NEW.config -> 'schedule' IS NOT NULL) EXECUTE FUNCTION mark_report_schedule();
CREATE TRIGGER changed_report_schedule AFTER UPDATE OF config ON nodes
  FOR EACH ROW WHEN (NEW.class = 'Report' AND (NEW.config -> 'schedule', NEW.config -> 'timezone', NEW.config -> 'timezoneAdjustForDst')
    IS DISTINCT FROM (OLD.config -> 'schedule', OLD.config -> 'timezone', OLD.config -> 'timezoneAdjustForDst'))
  EXECUTE FUNCTION mark_report_schedule();
INSERT INTO report_schedules (node_id) SELECT node_id FROM nodes WHERE class = 'Report' AND config -> 'schedule' IS NOT NULL;

-- A report that is to be made for a due time, or was. No foreign keys: whoever makes one locks nothing of its account.
CREATE TABLE report_runs (
  node_id text COLLATE "C" NOT NULL,
  -- Unix ms.
  due_ms bigint NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  -- When it was last begun, Unix ms: accounts take turns by it.
  begun_ms bigint NOT NULL DEFAULT 0,
  -- Nobody else begins it before, Unix ms.
  lease_ms bigint NOT NULL DEFAULT 0,
  -- Made, failed or given up: it is not begun again.
  is_over boolean NOT NULL DEFAULT false,
  -- The PDF, in the table files; NULL = there is none.
  file_id text COLLATE "C",
  -- Mails that are neither sent nor given up; the file is kept for them.
  open_mails int NOT NULL DEFAULT 0,
  PRIMARY KEY (node_id, due_ms)
);
CREATE INDEX report_runs_waiting ON report_runs (lease_ms) WHERE NOT is_over;
CREATE INDEX report_runs_owner ON report_runs (owner_id, begun_ms);
CREATE INDEX report_runs_due ON report_runs (due_ms);

-- People who want no mails of a report any more, and get none by a group either.
CREATE TABLE stopped_reports (
  node_id text COLLATE "C" NOT NULL REFERENCES nodes ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (node_id, user_id)
);
