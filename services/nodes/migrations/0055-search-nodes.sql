-- GET /nodes/search looks in this: one row for each node, kept by triggers, whoever changes nodes. It is read by account from one end to the other,
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

-- foldedText in src/views/domain/folded-text.ts does the same.
CREATE FUNCTION folded_text(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN octet_length(given) = char_length(given) THEN lower(given COLLATE "default")
    ELSE lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "default") END
$$;

-- customId, a line, then metadata.
CREATE FUNCTION text_beside_name(custom_id text, metadata jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(coalesce(folded_text(custom_id), '') || E'\n' || CASE WHEN jsonb_typeof(metadata) = 'array' THEN coalesce((
    SELECT folded_text(string_agg(concat_ws(' ', entry ->> 'name', entry ->> 'value'), E'\n')) FROM jsonb_array_elements(metadata) entry), '')
    ELSE '' END, 4000)
$$;

-- Writes the texts of nodes, none of which lies below another, and of all below them: from above to below, since each knows the path of the one before.
CREATE FUNCTION write_texts_of_branches(tops text[]) RETURNS void LANGUAGE sql AS $$
  WITH RECURSIVE up AS (
    SELECT n.node_id AS top_id, p.parent_id, p.name_key AS path FROM nodes n JOIN nodes p ON p.node_id = n.parent_id WHERE n.node_id = ANY (tops)
    UNION ALL
    SELECT up.top_id, p.parent_id, p.name_key || '/' || up.path FROM up JOIN nodes p ON p.node_id = up.parent_id
  ), branch AS (
    SELECT n.node_id, n.owner_id, n.workspace_id, n.class, folded_text(n.name_key) AS name,
      text_beside_name(n.custom_id, n.config -> 'metadata') AS more, coalesce(folded_text(up.path), '') AS above
    FROM nodes n LEFT JOIN up ON up.top_id = n.node_id AND up.parent_id IS NULL WHERE n.node_id = ANY (tops)
    UNION ALL
    SELECT c.node_id, c.owner_id, c.workspace_id, c.class, folded_text(c.name_key), text_beside_name(c.custom_id, c.config -> 'metadata'),
      CASE branch.above WHEN '' THEN branch.name ELSE branch.above || '/' || branch.name END
    FROM branch JOIN nodes c ON c.parent_id = branch.node_id
  )
  INSERT INTO node_texts (node_id, owner_id, workspace_id, class, name, more, above) SELECT * FROM branch
  ON CONFLICT (node_id) DO UPDATE SET workspace_id = excluded.workspace_id, name = excluded.name, more = excluded.more, above = excluded.above
$$;

CREATE FUNCTION write_texts_of_new_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_texts_of_branches(ARRAY(
    SELECT a.node_id FROM added a WHERE NOT EXISTS (SELECT FROM added above WHERE above.node_id = a.parent_id)));
  RETURN NULL;
END
$$;

CREATE FUNCTION write_texts_of_changed_node() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.name_key <> NEW.name_key OR OLD.parent_id IS DISTINCT FROM NEW.parent_id THEN
    PERFORM write_texts_of_branches(ARRAY[NEW.node_id]);
  ELSE
    UPDATE node_texts SET workspace_id = NEW.workspace_id, more = text_beside_name(NEW.custom_id, NEW.config -> 'metadata')
    WHERE node_id = NEW.node_id;
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

SELECT write_texts_of_branches(ARRAY(SELECT node_id FROM nodes WHERE parent_id IS NULL));
ANALYZE node_texts;
