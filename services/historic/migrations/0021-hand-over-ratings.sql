-- The processing service computes ratings. Replicas of the version before still store here what becomes of ratings, and of their inputs, and
-- compute them until processing asks for them; what they store after that is handed over.
ALTER TABLE ratings ADD COLUMN handed boolean NOT NULL DEFAULT false;

-- Has a row since processing has asked: no replica takes a rating any more.
CREATE TABLE hand_over (begun_time timestamptz NOT NULL DEFAULT now());

CREATE FUNCTION compute_no_rating() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM hand_over) THEN NEW.retry_time := 'infinity'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER compute_no_rating BEFORE INSERT OR UPDATE ON ratings FOR EACH ROW EXECUTE FUNCTION compute_no_rating();
