-- When a source is looked at next for its outdatedAlarm: those alone that may have it raised.
CREATE TABLE outdated_checks (
  node_id text COLLATE "C" PRIMARY KEY,
  -- How long it may bring nothing, ms.
  quiet_max_ms bigint NOT NULL,
  -- Unix ms; 0: at once. Of a fresh source the moment when it is outdated if nothing comes.
  due_ms bigint NOT NULL DEFAULT 0,
  -- The reference time of the last look, Unix ms, where it found the source outdated; NULL: it was fresh, or was not looked at.
  outdated_since_ms bigint,
  -- The time from the last look at an outdated source to the next one, ms.
  wait_ms bigint NOT NULL DEFAULT 0
);
CREATE INDEX outdated_checks_due ON outdated_checks (due_ms);
