-- Notifications of states and alarms (docs/reference/notifications.md#recipients-and-content).

-- Events whose notifications have been asked for: one that comes twice asks for nothing more. Kept as long as the broker may repeat it.
CREATE TABLE notified_events (
  event_id text COLLATE "C" PRIMARY KEY,
  -- Unix ms.
  taken_ms bigint NOT NULL
);
CREATE INDEX notified_events_taken ON notified_events (taken_ms);

-- Messages to a person within an hour of the clock (UTC), of whatever account.
CREATE TABLE notification_counts (
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel IN ('email', 'sms')),
  -- Begin of the hour, Unix ms.
  hour_ms bigint NOT NULL,
  count int NOT NULL,
  PRIMARY KEY (user_id, channel, hour_ms)
) WITH (fillfactor = 70);
CREATE INDEX notification_counts_hour ON notification_counts (hour_ms);
