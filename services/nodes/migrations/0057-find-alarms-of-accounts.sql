-- Raised alarms of one account, whatever the other accounts of the installation have: for GET /alarms and the counts of GET /nodes/children. The
-- account of a node never changes. The condition of the index is that of RAISED in src/views/store/raised-alarms-query.ts.
ALTER TABLE node_alarms ADD COLUMN owner_id text COLLATE "C";

-- Whoever writes the row, pods of before too.
CREATE FUNCTION name_owner_of_alarms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT owner_id INTO NEW.owner_id FROM nodes WHERE node_id = NEW.node_id;
  RETURN NEW;
END
$$;
CREATE TRIGGER name_owner_of_alarms BEFORE INSERT OR UPDATE ON node_alarms FOR EACH ROW
  WHEN (NEW.owner_id IS NULL) EXECUTE FUNCTION name_owner_of_alarms();

-- The others get it when they change, as one that is raised does.
UPDATE node_alarms a SET owner_id = n.owner_id FROM nodes n
WHERE n.node_id = a.node_id AND a.alarms @? '$.* ? (@.alarmState != "CLEARED")';
CREATE INDEX node_alarms_raised_of_owner ON node_alarms (owner_id, node_id) WHERE alarms @? '$.* ? (@.alarmState != "CLEARED")';
