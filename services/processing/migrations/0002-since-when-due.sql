-- Since when there is something to evaluate, for the metric catchment_oldest_unprocessed_seconds.
ALTER TABLE programs ADD COLUMN due_since timestamptz NOT NULL DEFAULT now();

CREATE FUNCTION note_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.due_since := now();
  RETURN NEW;
END $$;

-- A trigger, so that it is kept also while pods of an earlier version are there.
CREATE TRIGGER note_due BEFORE UPDATE OF due ON programs FOR EACH ROW WHEN (NEW.due AND NOT OLD.due)
  EXECUTE FUNCTION note_due();
