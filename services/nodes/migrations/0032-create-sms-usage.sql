-- SMS of accounts by calendar month (docs/reference/notifications.md#limits-of-sms).
CREATE TABLE sms_usage (
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  -- Begin of the month (UTC), Unix ms.
  month_ms bigint NOT NULL,
  -- Those that were given up are taken off again.
  count int NOT NULL DEFAULT 0,
  -- The owner has been notified of this share of the limit, in percent.
  told_percent int NOT NULL DEFAULT 0,
  PRIMARY KEY (owner_id, month_ms)
) WITH (fillfactor = 70);
CREATE INDEX sms_usage_month ON sms_usage (month_ms);
