-- Rights in a Workspace (docs/reference/people-and-security.md), and who is subscribed to notifications
-- (docs/reference/notifications.md).

-- Users and groups of workspaces.
CREATE TABLE workspace_access (
  -- Order in which they were added.
  entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  workspace_id text COLLATE "C" NOT NULL REFERENCES nodes ON DELETE CASCADE,
  user_id text COLLATE "C" REFERENCES users,
  group_id text COLLATE "C" REFERENCES user_groups ON DELETE CASCADE,
  -- NULL = the role has been deleted: VIEW only.
  role_id text COLLATE "C" REFERENCES roles ON DELETE SET NULL,
  -- Unix ms; NULL = does not end.
  expires_ms bigint,
  CHECK (num_nonnulls(user_id, group_id) = 1),
  UNIQUE (workspace_id, user_id),
  UNIQUE (workspace_id, group_id)
);
CREATE INDEX workspace_access_owner ON workspace_access (owner_id);
CREATE INDEX workspace_access_user ON workspace_access (user_id, owner_id) WHERE user_id IS NOT NULL;
CREATE INDEX workspace_access_group ON workspace_access (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX workspace_access_role ON workspace_access (role_id);
CREATE INDEX workspace_access_end ON workspace_access (expires_ms) WHERE expires_ms IS NOT NULL;
CREATE INDEX user_group_members_user ON user_group_members (user_id);

-- No Access: nodes that, with all below them, are closed to users and groups of their workspace.
CREATE TABLE closed_nodes (
  node_id text COLLATE "C" NOT NULL REFERENCES nodes ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  user_id text COLLATE "C" REFERENCES users,
  group_id text COLLATE "C" REFERENCES user_groups ON DELETE CASCADE,
  CHECK (num_nonnulls(user_id, group_id) = 1),
  UNIQUE (node_id, user_id),
  UNIQUE (node_id, group_id)
);
CREATE INDEX closed_nodes_owner ON closed_nodes (owner_id);
CREATE INDEX closed_nodes_group ON closed_nodes (group_id) WHERE group_id IS NOT NULL;

-- These are notified of the alarms of a node.
CREATE TABLE subscriptions (
  node_id text COLLATE "C" NOT NULL REFERENCES nodes ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  user_id text COLLATE "C" REFERENCES users,
  group_id text COLLATE "C" REFERENCES user_groups ON DELETE CASCADE,
  CHECK (num_nonnulls(user_id, group_id) = 1),
  UNIQUE (node_id, user_id),
  UNIQUE (node_id, group_id)
);
CREATE INDEX subscriptions_owner ON subscriptions (owner_id);
CREATE INDEX subscriptions_group ON subscriptions (group_id) WHERE group_id IS NOT NULL;

-- How: per category of the account; no row = neither.
CREATE TABLE notification_preferences (
  workspace_id text COLLATE "C" NOT NULL REFERENCES nodes ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES users,
  category_id text COLLATE "C" NOT NULL,
  email boolean NOT NULL,
  sms boolean NOT NULL,
  PRIMARY KEY (workspace_id, user_id, category_id)
);
CREATE INDEX notification_preferences_owner ON notification_preferences (owner_id);

-- Every way by which a user has come to access: an own entry, or (group_id) a group. Whoever reads leaves out what has ended.
CREATE VIEW user_access AS
SELECT a.owner_id, a.workspace_id, a.user_id, NULL::text COLLATE "C" AS group_id, a.expires_ms,
  coalesce(r.name, '') AS role, coalesce(r.permissions, ARRAY['VIEW']) AS permissions
FROM workspace_access a LEFT JOIN roles r USING (role_id) WHERE a.user_id IS NOT NULL
UNION ALL
SELECT a.owner_id, a.workspace_id, m.user_id, a.group_id, a.expires_ms,
  coalesce(r.name, ''), coalesce(r.permissions, ARRAY['VIEW'])
FROM workspace_access a JOIN user_group_members m USING (group_id) LEFT JOIN roles r USING (role_id);

-- These may do everything in an account (docs/reference/people-and-security.md#standing); one person may stand there more than once.
CREATE VIEW standings AS
SELECT owner_id, owner_user_id AS user_id, 'OWNER' AS standing FROM owners
UNION ALL
SELECT owner_id, user_id, 'ADMINISTRATOR' FROM administrators
UNION ALL
SELECT o.owner_id, p.owner_user_id, 'MANAGER' FROM owners o JOIN owners p ON p.owner_id = o.parent_owner_id
UNION ALL
SELECT o.owner_id, a.user_id, 'MANAGER' FROM owners o JOIN administrators a ON a.owner_id = o.parent_owner_id;
