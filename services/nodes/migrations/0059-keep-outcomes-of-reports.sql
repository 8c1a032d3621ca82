-- Reports have become this (docs/reference/dashboards-and-reports.md#runs).

ALTER TABLE report_runs
  -- E-mail of who has asked for it; NULL = its schedule.
  ADD COLUMN asked_by text,
  -- Why there is no PDF, for people; NULL = it was made, or is not over.
  ADD COLUMN problem text;

-- Mails of a run: to whom, and what has become of them.
CREATE TABLE report_mails (
  node_id text COLLATE "C" NOT NULL,
  -- Unix ms: with node_id, the run.
  due_ms bigint NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The address at that time.
  email text NOT NULL,
  -- Sent or given up.
  is_over boolean NOT NULL DEFAULT false,
  -- Why it was not sent, for people; NULL = it was, or is on its way.
  problem text,
  PRIMARY KEY (node_id, due_ms, user_id),
  FOREIGN KEY (node_id, due_ms) REFERENCES report_runs ON DELETE CASCADE
);
