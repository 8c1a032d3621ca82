-- The alarm that an event is about, as in the API; absent on other events, and on those from before. By it the alarms of nodes are known as
-- they were at a time.
ALTER TABLE events ADD COLUMN IF NOT EXISTS alarm_type text COLLATE "C";
CREATE INDEX IF NOT EXISTS events_of_alarms ON events (node_id, alarm_type, event_time DESC, position DESC)
  WHERE alarm_type IS NOT NULL;
