-- What GET /nodes/search looks in: one row for each node, kept by triggers, whoever changes nodes. It is read by account from one end to the other,
-- which finds words anywhere in a text and needs no extension of PostgreSQL: 50 000 rows are some 10 MB.
CREATE TABLE node_texts (
  node_id text COLLATE "C" PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  class text COLLATE "C" NOT NULL,
  -- All texts are folded: lower-case, without accents.
  name text COLLATE "C" NOT NULL,
  -- customId, then metadata, an entry a line; of long ones the beginning.
  more text COLLATE "C" NOT NULL,
  -- Names from the Workspace down to the parent, parted by '/'.
  above text COLLATE "C" NOT NULL
);
CREATE INDEX node_texts_owner ON node_texts (owner_id);

-- As foldedText in src/views/domain/folded-text.ts.
CREATE FUNCTION folded_text(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(given) = char_length(given) THEN lower(given COLLATE "default")
    ELSE lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "default") END
$$;

CREATE FUNCTION write_node_texts(ids text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO node_texts (node_id, owner_id, workspace_id, class, name, more, above)
  SELECT n.node_id, n.owner_id, n.workspace_id, n.class, folded_text(n.name_key),
    left(coalesce(folded_text(n.custom_id), '') || E'\n' || coalesce(m.metadata, ''), 4000), coalesce(u.above, '')
  FROM nodes n
  LEFT JOIN LATERAL (
    SELECT folded_text(string_agg(concat_ws(' ', entry ->> 'name', entry ->> 'value'), E'\n')) AS metadata
    FROM jsonb_array_elements(CASE WHEN jsonb_typeof(n.config -> 'metadata') = 'array' THEN n.config -> 'metadata' ELSE '[]' END) entry
  ) m ON TRUE
  LEFT JOIN LATERAL (
    WITH RECURSIVE up AS (
      SELECT p.parent_id, p.name_key AS path FROM nodes p WHERE p.node_id = n.parent_id
      UNION ALL
      SELECT p.parent_id, p.name_key || '/' || up.path FROM up JOIN nodes p ON p.node_id = up.parent_id
    ) SELECT folded_text(path) AS above FROM up WHERE parent_id IS NULL
  ) u ON TRUE
  WHERE n.node_id = ANY (ids)
  ON CONFLICT (node_id) DO UPDATE SET workspace_id = excluded.workspace_id, name = excluded.name, more = excluded.more, above = excluded.above
$$;

CREATE FUNCTION write_texts_of_new_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_node_texts(ARRAY(SELECT node_id FROM added));
  RETURN NULL;
END
$$;

CREATE FUNCTION write_texts_of_changed_node() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.name_key = NEW.name_key AND OLD.parent_id IS NOT DISTINCT FROM NEW.parent_id THEN
    PERFORM write_node_texts(ARRAY[NEW.node_id]);
  ELSE
    PERFORM write_node_texts(ARRAY(
      WITH RECURSIVE branch AS (
        SELECT NEW.node_id AS node_id
        UNION ALL
        SELECT c.node_id FROM branch JOIN nodes c ON c.parent_id = branch.node_id
      ) SELECT node_id FROM branch));
  END IF;
  RETURN NULL;
END
$$;

-- From here on nobody writes nodes until this is committed.
CREATE TRIGGER write_texts_of_new_nodes AFTER INSERT ON nodes REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_texts_of_new_nodes();
CREATE TRIGGER write_texts_of_changed_node AFTER UPDATE ON nodes FOR EACH ROW
  WHEN (OLD.name_key <> NEW.name_key OR OLD.parent_id IS DISTINCT FROM NEW.parent_id OR OLD.workspace_id <> NEW.workspace_id
    OR OLD.custom_id IS DISTINCT FROM NEW.custom_id OR OLD.config -> 'metadata' IS DISTINCT FROM NEW.config -> 'metadata')
  EXECUTE FUNCTION write_texts_of_changed_node();

SELECT write_node_texts(ARRAY(SELECT node_id FROM nodes));
ANALYZE node_texts;
