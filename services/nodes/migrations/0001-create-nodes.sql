-- Accounts. Every change of an account's configuration takes this row's lock first, so structure changes of one account
-- come one after the other (unique names, containment and cascades need no further care) and never deadlock.
CREATE TABLE owners (
  owner_id text COLLATE "C" PRIMARY KEY CHECK (owner_id ~ '^[0-9a-f]{24}$'),
  account_name text NOT NULL CHECK (char_length(account_name) BETWEEN 1 AND 120),
  account_type text NOT NULL CHECK (account_type IN ('STANDARD', 'PREMIUM', 'STARTER', 'TRIAL', 'MANAGED')),
  slug text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]{3,20}$'),
  status text NOT NULL DEFAULT 'ACTIVE' CHECK (status IN ('ACTIVE', 'DISABLED')),
  -- [{_id, name, index}], docs/reference/notifications.md#subscriptions-and-preferences
  categories jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE users (
  user_id text COLLATE "C" PRIMARY KEY CHECK (user_id ~ '^[0-9a-f]{24}$'),
  -- Lower-case.
  email text NOT NULL UNIQUE,
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL
);

-- API keys of accounts and of their people (docs/reference/authentication.md#api-keys).
CREATE TABLE api_keys (
  key_id text COLLATE "C" PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES users,
  key_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(key_sha256) = 32),
  -- Shown to people beside the label; the key itself is never stored.
  last4 text NOT NULL,
  label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 120),
  permission text NOT NULL CHECK (permission IN ('READ_ONLY', 'MODIFY')),
  access_level text NOT NULL CHECK (access_level IN ('ACCOUNT', 'WORKSPACES', 'LIMITED_WORKSPACES')),
  -- LIMITED_WORKSPACES only.
  workspace_ids text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX api_keys_owner ON api_keys (owner_id);

-- Grows with every change of any node, so also per node.
CREATE SEQUENCE node_revision;

CREATE TABLE nodes (
  node_id text COLLATE "C" PRIMARY KEY CHECK (node_id ~ '^[0-9a-f]{24}$'),
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  -- Own id on a Workspace.
  workspace_id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C" REFERENCES nodes ON DELETE CASCADE,
  -- Without prefix: 'point.NumberPoint'.
  class text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  -- Lower-case name: siblings are unique by it and TREE is ordered by it.
  name_key text COLLATE "C" NOT NULL,
  custom_id text COLLATE "C",
  -- Key of data source writes (docs/reference/writing.md#data-source-writes); parameters only.
  series_key text COLLATE "C",
  is_active boolean NOT NULL DEFAULT true,
  -- Public id (docs/reference/node-tree.md#common-attributes), made when isPublic first becomes true.
  public_id text COLLATE "C" UNIQUE,
  -- Unix ms.
  created_ms bigint NOT NULL,
  revision bigint NOT NULL,
  -- Attributes of the class that differ from their defaults, by public name.
  config jsonb NOT NULL DEFAULT '{}'
);
-- NULLS FIRST: the order that lists are asked for.
CREATE INDEX nodes_owner_created ON nodes (owner_id, created_ms NULLS FIRST, node_id);
CREATE INDEX nodes_workspace ON nodes (workspace_id);
CREATE UNIQUE INDEX nodes_sibling_name ON nodes (parent_id, name_key) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX nodes_workspace_name ON nodes (owner_id, name_key) WHERE parent_id IS NULL;
CREATE UNIQUE INDEX nodes_custom_id ON nodes (owner_id, custom_id) WHERE custom_id IS NOT NULL;
CREATE UNIQUE INDEX nodes_series_key ON nodes (parent_id, series_key) WHERE series_key IS NOT NULL;
CREATE INDEX nodes_device ON nodes ((config -> 'transport' ->> 'deviceId')) WHERE config -> 'transport' ->> 'deviceId' IS NOT NULL;
CREATE INDEX nodes_coordinate_source ON nodes ((config ->> 'coordinateSourceId')) WHERE config ->> 'coordinateSourceId' IS NOT NULL;

-- Data have made this of a node: one row for each parameter, Location and source, made with the node and changed in place.
CREATE TABLE node_values (
  node_id text COLLATE "C" PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  -- Newest record having a value, the one before it, and the oldest. Times: Unix ms. Values as stored, before multiplier
  -- and offset: number, string, {"$millis": n} or [latitude, longitude].
  current_ms bigint,
  current_value jsonb,
  current_quality int,
  previous_ms bigint,
  previous_value jsonb,
  previous_quality int,
  oldest_ms bigint,
  oldest_value jsonb,
  oldest_quality int,
  -- When any record was last written or deleted, Unix ms.
  updated_ms bigint,
  -- Sources only.
  last_attempt_ms bigint,
  last_success_ms bigint,
  total_attempts bigint NOT NULL DEFAULT 0,
  total_successes bigint NOT NULL DEFAULT 0,
  last_record_count bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

-- The alarms service has said this of a node.
CREATE TABLE node_alarms (
  node_id text COLLATE "C" PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  -- NULL = nothing reported yet, '' = no state.
  current_state_id text,
  state_revision bigint NOT NULL DEFAULT 0,
  -- By alarm type: {revision, alarmState, message, categoryId, activeTime, acknowledgeTime, acknowledgeUsername, acknowledgeComment};
  -- times in Unix ms, null when unset.
  alarms jsonb NOT NULL DEFAULT '{}'
) WITH (fillfactor = 70);

-- Counters whose sum changes with whatever a list of the account's nodes shows. One row for each writer, so that
-- configuration, partitions and alarms do not wait for one another.
CREATE TABLE owner_revisions (
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  writer text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (owner_id, writer)
) WITH (fillfactor = 50);

-- Last message of the ingest log that has been applied, per partition.
CREATE TABLE partition_progress (
  partition int PRIMARY KEY,
  log_sequence bigint NOT NULL
);

-- Windows in which acquisitions are summed up into one event (docs/reference/writing.md#data-source-writes, rule 7).
CREATE TABLE acquisition_windows (
  node_id text COLLATE "C" NOT NULL REFERENCES nodes ON DELETE CASCADE,
  username text NOT NULL,
  origin text NOT NULL,
  ends_ms bigint NOT NULL,
  -- Acquisitions since the event that opened the window.
  waiting int NOT NULL,
  row_count bigint NOT NULL,
  parameters int NOT NULL,
  is_source boolean NOT NULL,
  PRIMARY KEY (node_id, username, origin)
) WITH (fillfactor = 70);
CREATE INDEX acquisition_windows_end ON acquisition_windows (ends_ms);

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL
);
