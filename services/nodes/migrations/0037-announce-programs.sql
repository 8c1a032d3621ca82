-- Nodes whose configuration says more to other services than it did to those of the release before: programs and shared code. The first
-- pod of the release announces them.
CREATE TABLE due_announcements (
  node_id text COLLATE "C" PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE
);
CREATE INDEX due_announcements_owner ON due_announcements (owner_id);
INSERT INTO due_announcements (node_id, owner_id)
SELECT node_id, owner_id FROM nodes
WHERE (config ? 'process' AND class IN ('source.data.Processor', 'point.NumberProcessPoint', 'point.TextProcessPoint', 'point.TimeProcessPoint'))
  OR (config ? 'sharedCode' AND class = 'Workspace');
