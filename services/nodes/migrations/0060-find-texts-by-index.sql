-- The texts of a new node are written without a look at all other nodes: PostgreSQL expected so many rows below it that it read the whole table at each
-- step (28 ms of processor time for a node beside 50 000 others). `OFFSET 0` has each step look up its rows by index. Functions of PL/pgSQL keep their
-- plans, those of SQL are planned at each call.
CREATE OR REPLACE FUNCTION write_texts_of_branches(tops text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH RECURSIVE up AS (
    SELECT n.node_id AS top_id, p.parent_id, p.name_key AS path
    FROM nodes n CROSS JOIN LATERAL (SELECT * FROM nodes above WHERE above.node_id = n.parent_id OFFSET 0) p WHERE n.node_id = ANY (tops)
    UNION ALL
    SELECT up.top_id, p.parent_id, p.name_key || '/' || up.path
    FROM up CROSS JOIN LATERAL (SELECT * FROM nodes above WHERE above.node_id = up.parent_id OFFSET 0) p
  ), branch AS (
    SELECT n.node_id, n.owner_id, n.workspace_id, n.class, folded_text(n.name_key) AS name,
      text_beside_name(n.custom_id, n.config -> 'metadata') AS more, coalesce(folded_text(up.path), '') AS above
    FROM nodes n LEFT JOIN up ON up.top_id = n.node_id AND up.parent_id IS NULL WHERE n.node_id = ANY (tops)
    UNION ALL
    SELECT c.node_id, c.owner_id, c.workspace_id, c.class, folded_text(c.name_key), text_beside_name(c.custom_id, c.config -> 'metadata'),
      CASE branch.above WHEN '' THEN branch.name ELSE branch.above || '/' || branch.name END
    FROM branch CROSS JOIN LATERAL (SELECT * FROM nodes below WHERE below.parent_id = branch.node_id OFFSET 0) c
  )
  INSERT INTO node_texts (node_id, owner_id, workspace_id, class, name, more, above) SELECT * FROM branch
  ON CONFLICT (node_id) DO UPDATE SET workspace_id = excluded.workspace_id, name = excluded.name, more = excluded.more, above = excluded.above;
END
$$;

-- As before, without a statement where there is no metadata.
CREATE OR REPLACE FUNCTION text_beside_name(custom_id text, metadata jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE entries text := '';
BEGIN
  IF jsonb_typeof(metadata) = 'array' THEN
    entries := coalesce((SELECT folded_text(string_agg(concat_ws(' ', entry ->> 'name', entry ->> 'value'), E'\n')) FROM jsonb_array_elements(metadata) entry), '');
  END IF;
  RETURN left(coalesce(folded_text(custom_id), '') || E'\n' || entries, 4000);
END
$$;
