-- People of an account: its owner, administrators, groups; roles; what accounts may use.

ALTER TABLE owners
  -- This person signed up for the account.
  ADD COLUMN owner_user_id text COLLATE "C" REFERENCES users,
  -- MANAGED accounts, and managed TRIAL ones: the account whose owner and administrators manage this one.
  ADD COLUMN parent_owner_id text COLLATE "C" REFERENCES owners,
  -- NULL = no limit. Sources: sum of rated sources, docs/reference/accounts-and-usage.md#usage.
  ADD COLUMN source_limit double precision CHECK (source_limit >= 0),
  -- Messages a calendar month.
  ADD COLUMN sms_limit double precision CHECK (sms_limit >= 0);
-- Until now only an account's owner has made keys.
UPDATE owners o SET owner_user_id =
  (SELECT k.user_id FROM api_keys k WHERE k.owner_id = o.owner_id ORDER BY k.created_at, k.key_id LIMIT 1);
ALTER TABLE owners ALTER COLUMN owner_user_id SET NOT NULL;
CREATE INDEX owners_parent ON owners (parent_owner_id) WHERE parent_owner_id IS NOT NULL;

ALTER TABLE users
  -- '+' and 7-15 digits.
  ADD COLUMN phone text,
  -- NULL = the zone of the owner of the account that is looked at, else Etc/UTC (docs/reference/people-and-security.md#people).
  ADD COLUMN timezone text,
  ADD COLUMN timezone_adjust_for_dst boolean NOT NULL DEFAULT true,
  ADD COLUMN time_format text NOT NULL DEFAULT 'YYYY-MM-DD HH:mm:ss',
  ADD COLUMN last_login_at timestamptz(3);

-- Brought up to date at most once a minute.
ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz(3);

-- Administrators of accounts.
CREATE TABLE administrators (
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES users,
  -- Order in which they were named.
  position int NOT NULL,
  PRIMARY KEY (owner_id, user_id)
);

-- Groups of people of an account.
CREATE TABLE user_groups (
  group_id text COLLATE "C" PRIMARY KEY CHECK (group_id ~ '^[0-9a-f]{24}$'),
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  -- Lower-case name.
  name_key text COLLATE "C" NOT NULL,
  position int NOT NULL,
  -- Deferred: one update may swap the names of two groups.
  CONSTRAINT user_groups_name UNIQUE (owner_id, name_key) DEFERRABLE INITIALLY DEFERRED
);

-- Members of groups.
CREATE TABLE user_group_members (
  group_id text COLLATE "C" NOT NULL REFERENCES user_groups ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES users,
  position int NOT NULL,
  PRIMARY KEY (group_id, user_id)
);

-- Roles of accounts: permissions in a Workspace by a name.
CREATE TABLE roles (
  role_id text COLLATE "C" PRIMARY KEY CHECK (role_id ~ '^[0-9a-f]{24}$'),
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
  name_key text COLLATE "C" NOT NULL,
  -- docs/reference/people-and-security.md#permissions-and-roles, in the order of its table.
  permissions text[] NOT NULL,
  position int NOT NULL,
  CONSTRAINT roles_name UNIQUE (owner_id, name_key)
);
INSERT INTO roles (role_id, owner_id, name, name_key, permissions, position)
SELECT substr(md5(o.owner_id || r.name), 1, 24), o.owner_id, r.name, lower(r.name), r.permissions, r.position
FROM owners o CROSS JOIN (VALUES
  ('Manage', 0, ARRAY['VIEW', 'ATTACHMENT_READ', 'EXPORT_DATA', 'SEND_MESSAGE', 'ACKNOWLEDGE_ALARMS', 'EDIT_ALARMS', 'EDIT_QUALITY', 'EDIT_DATA', 'CONTROL', 'SUBSCRIBE_NOTIFICATIONS', 'MANAGE_NOTIFICATIONS', 'CONFIGURE', 'SECURITY']),
  ('Configure', 1, ARRAY['VIEW', 'ATTACHMENT_READ', 'EXPORT_DATA', 'SEND_MESSAGE', 'ACKNOWLEDGE_ALARMS', 'EDIT_ALARMS', 'EDIT_QUALITY', 'EDIT_DATA', 'CONTROL', 'SUBSCRIBE_NOTIFICATIONS', 'MANAGE_NOTIFICATIONS', 'CONFIGURE']),
  ('Operate', 2, ARRAY['VIEW', 'ATTACHMENT_READ', 'EXPORT_DATA', 'SEND_MESSAGE', 'ACKNOWLEDGE_ALARMS', 'EDIT_ALARMS', 'EDIT_QUALITY', 'CONTROL', 'SUBSCRIBE_NOTIFICATIONS']),
  ('View', 3, ARRAY['VIEW'])
) AS r (name, position, permissions);
