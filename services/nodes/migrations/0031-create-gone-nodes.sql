-- What streams of changes need (docs/adr/0010-push.md). A row of nodes, node_values or node_alarms has changed since a snapshot when the
-- transaction that wrote it, its xmin, is not in the snapshot: nothing more is stored, and writers wait for nothing.

-- Returns whether a row was written after a snapshot. Rows have the lower half of the transaction's number; `next` is the first number not given yet.
-- Some transactions that ended 2^32 numbers ago seem younger, none seems older. Our transactions have no savepoints, whose numbers a
-- snapshot does not list.
CREATE FUNCTION written_since(stamp xid, snapshot pg_snapshot, next bigint) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$
  SELECT NOT pg_visible_in_snapshot((next - ((next - stamp::text::bigint) & 4294967295))::text::xid8, snapshot)
$$;

-- Nodes that are deleted, or have been moved, were here: some who saw them do not see them any more. Kept for a week.
CREATE TABLE gone_nodes (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  workspace_id text COLLATE "C" NOT NULL,
  created_ms bigint NOT NULL,
  -- Users and groups to whom the node, or one above it, was closed (No Access).
  closed_to text[] NOT NULL,
  gone_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX gone_nodes_owner ON gone_nodes (owner_id, created_ms, node_id);
CREATE INDEX gone_nodes_time ON gone_nodes (gone_at);
