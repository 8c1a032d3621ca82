-- Somebody has cleared the alarm while its condition lasted: it stays so until there is a fresh one.
ALTER TABLE alarms ADD COLUMN is_cleared_by_hand boolean NOT NULL DEFAULT false;

-- Series whose alarms are to be judged by the settings that hold. Each row is removed by the transaction that judges.
CREATE TABLE judgements (
  node_id text COLLATE "C" PRIMARY KEY,
  -- The readers of the log must have come so far; 0: they need not.
  after_sequence bigint NOT NULL DEFAULT 0,
  -- What is kept of its records may lack some: the store is asked, once it has the log up to there.
  needs_store boolean NOT NULL DEFAULT false,
  -- Unix ms of what has brought it about; NULL: nobody knows.
  time_ms bigint,
  username text NOT NULL DEFAULT 'System'
);

-- Alarms that stand wrong, because settings were changed before this release, are judged once.
INSERT INTO judgements (node_id)
  SELECT node_id FROM series WHERE state_id IS NOT NULL
  UNION SELECT node_id FROM alarms WHERE alarm_type = 'stateAlarm' AND alarm_state <> 'CLEARED';
