-- Events that nobody follows, as of an account that was restored alone: retention looks for the oldest ones of each account.
CREATE INDEX IF NOT EXISTS events_without_position ON events (owner_id, recorded_at) WHERE position IS NULL;
