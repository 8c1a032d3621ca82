-- Nodes of each account, so that their limit needs no count of them all. Kept by triggers: right whoever inserts or deletes, also
-- by cascades. Writers of one account hold its row already.
ALTER TABLE owners ADD COLUMN node_count integer NOT NULL DEFAULT 0;

CREATE FUNCTION add_to_node_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  direction integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  -- Cascades delete nothing for most rows.
  IF EXISTS (SELECT FROM changed) THEN
    UPDATE owners o SET node_count = o.node_count + direction * c.n
    FROM (SELECT owner_id, count(*) AS n FROM changed GROUP BY owner_id) c WHERE o.owner_id = c.owner_id;
  END IF;
  RETURN NULL;
END
$$;

-- From here on nobody writes nodes until this is committed.
CREATE TRIGGER count_inserted_nodes AFTER INSERT ON nodes REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_to_node_count();
CREATE TRIGGER count_deleted_nodes AFTER DELETE ON nodes REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_to_node_count();

UPDATE owners o SET node_count = c.n
FROM (SELECT owner_id, count(*) AS n FROM nodes GROUP BY owner_id) c WHERE o.owner_id = c.owner_id;
