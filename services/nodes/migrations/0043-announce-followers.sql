-- The configuration of a source names the Locations that take their coordinates from it (NodeConfig.source.followers): it is announced again
-- when a Location begins or ceases to, or names other series.
CREATE FUNCTION announce_coordinate_sources() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO due_announcements (node_id, owner_id)
  SELECT s.node_id, s.owner_id FROM nodes s
  WHERE s.owner_id = NEW.owner_id
    AND s.node_id IN (NEW.config ->> 'coordinateSourceId', CASE WHEN TG_OP = 'UPDATE' THEN OLD.config ->> 'coordinateSourceId' END)
  ORDER BY s.node_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER new_follower AFTER INSERT ON nodes
  FOR EACH ROW WHEN (NEW.config ->> 'coordinateSourceId' IS NOT NULL) EXECUTE FUNCTION announce_coordinate_sources();
CREATE TRIGGER changed_follower AFTER UPDATE OF config ON nodes
  FOR EACH ROW WHEN ((NEW.config -> 'coordinateSourceId', NEW.config -> 'coordinateSeries')
    IS DISTINCT FROM (OLD.config -> 'coordinateSourceId', OLD.config -> 'coordinateSeries'))
  EXECUTE FUNCTION announce_coordinate_sources();
INSERT INTO due_announcements (node_id, owner_id)
SELECT DISTINCT s.node_id, s.owner_id FROM nodes l JOIN nodes s ON s.node_id = l.config ->> 'coordinateSourceId' AND s.owner_id = l.owner_id
WHERE l.config ->> 'coordinateSourceId' IS NOT NULL
ON CONFLICT DO NOTHING;
