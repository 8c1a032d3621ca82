-- The processing service computes ratings. Replicas of the version before still store here what becomes of ratings, and of their inputs;
-- none of them takes a rating any more, and what they store is handed over.
ALTER TABLE ratings ADD COLUMN handed boolean NOT NULL DEFAULT false;

CREATE FUNCTION compute_no_rating() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.retry_time := 'infinity';
  RETURN NEW;
END $$;
CREATE TRIGGER compute_no_rating BEFORE INSERT OR UPDATE ON ratings FOR EACH ROW EXECUTE FUNCTION compute_no_rating();

UPDATE ratings SET retry_time = 'infinity';
