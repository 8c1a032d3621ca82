-- Tells who follows the log that there is more of it, at the end of the transaction; pods of the version before tell it too.
CREATE OR REPLACE FUNCTION tell_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('events_recorded', TG_TABLE_SCHEMA);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER tell_of_events AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION tell_of_events();
