-- Devices reports this of the sessions of a source, and the value of a control parameter that waits to be sent.
ALTER TABLE node_values
  -- SourceChanged.revision, status, session_attempts, session_successes; the totals of the source hold these attempts too.
  ADD COLUMN session_revision bigint NOT NULL DEFAULT -1,
  ADD COLUMN session_status text COLLATE "C",
  ADD COLUMN session_attempts bigint NOT NULL DEFAULT 0,
  ADD COLUMN session_successes bigint NOT NULL DEFAULT 0,
  ADD COLUMN logger_model text COLLATE "C",
  ADD COLUMN logger_firmware text COLLATE "C",
  ADD COLUMN logger_program text COLLATE "C",
  -- The value as it is shown: a number, text or {"$millis": n}; NULL = none waits.
  ADD COLUMN control_value jsonb,
  -- ControlChanged.revision.
  ADD COLUMN control_revision bigint;
