-- The order in which events were recorded: what streams, webhooks and other followers of the log resume from. The lock makes it
-- the order of commit too, so a reader that has seen position p never misses a smaller one. A trigger, not the service, takes it:
-- pods of the version before insert as well while an upgrade rolls. Events from before have none, and nobody follows them.
CREATE SEQUENCE IF NOT EXISTS events_position;
ALTER TABLE events ADD COLUMN IF NOT EXISTS position bigint;
ALTER TABLE events ALTER COLUMN position SET DEFAULT nextval('events_position');

CREATE OR REPLACE FUNCTION events_in_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('events-position'), hashtext(TG_TABLE_SCHEMA));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER events_in_order BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION events_in_order();

CREATE INDEX IF NOT EXISTS events_by_position ON events (position) WHERE position IS NOT NULL;
CREATE INDEX IF NOT EXISTS events_by_owner_position ON events (owner_id, position) WHERE position IS NOT NULL;
