-- The tables of nodes as its migrations leave them. «npm run generate:schemas» writes this file, and nothing runs it.

-- Grows with every change of any node, so also per node.
CREATE SEQUENCE node_revision;

-- Windows in which acquisitions are summed up into one event (docs/reference/writing.md#data-source-writes, rule 7).
CREATE TABLE acquisition_windows (
  node_id text COLLATE "C" NOT NULL,
  username text NOT NULL,
  origin text NOT NULL,
  ends_ms bigint NOT NULL,
  -- Acquisitions since the event that opened the window.
  waiting integer NOT NULL,
  row_count bigint NOT NULL,
  parameters integer NOT NULL,
  is_source boolean NOT NULL,
  PRIMARY KEY (node_id, username, origin),
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX acquisition_windows_end ON acquisition_windows (ends_ms);

-- Administrators of accounts.
CREATE TABLE administrators (
  owner_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- Order in which they were named.
  position integer NOT NULL,
  PRIMARY KEY (owner_id, user_id),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id)
);

-- API keys of accounts and of their people (docs/reference/authentication.md#api-keys).
CREATE TABLE api_keys (
  key_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  key_sha256 bytea NOT NULL,
  -- Shown to people beside the label; the key itself is never stored.
  last4 text NOT NULL,
  label text NOT NULL,
  permission text NOT NULL,
  access_level text NOT NULL,
  -- LIMITED_WORKSPACES only.
  workspace_ids text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamptz(3) NOT NULL,
  -- Brought up to date at most once a minute.
  last_used_at timestamptz(3),
  PRIMARY KEY (key_id),
  CHECK (access_level = ANY (ARRAY['ACCOUNT'::text, 'WORKSPACES'::text, 'LIMITED_WORKSPACES'::text])),
  CHECK (octet_length(key_sha256) = 32),
  UNIQUE (key_sha256),
  CHECK (char_length(label) >= 1 AND char_length(label) <= 120),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  CHECK (permission = ANY (ARRAY['READ_ONLY'::text, 'MODIFY'::text])),
  FOREIGN KEY (user_id) REFERENCES users(user_id)
);
CREATE INDEX api_keys_owner ON api_keys (owner_id);

-- Attempts to sign in and requests for links, counted over all replicas in fixed windows.
CREATE TABLE attempts (
  -- Hash of what is counted: an address, an e-mail, both.
  key_sha256 bytea NOT NULL,
  count integer NOT NULL,
  window_ends_ms bigint NOT NULL,
  PRIMARY KEY (key_sha256)
) WITH (fillfactor=70);
CREATE INDEX attempts_end ON attempts (window_ends_ms);

-- Nodes whose values only the store of records knows, which could not be asked when it had to be: they show what they had until then.
CREATE TABLE awaited_values (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  -- When the records were changed last, Unix ms.
  updated_ms bigint NOT NULL,
  -- Grows with each change that waits: an answer from before one is none.
  version integer NOT NULL DEFAULT 0,
  -- Nobody asks before.
  next_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (node_id),
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE
);
CREATE INDEX awaited_values_next ON awaited_values (next_at);

-- Finished backups (`catchment backup create`), for metrics. The newest 1000 are kept.
CREATE TABLE backups (
  backup_id text NOT NULL,
  started_time timestamptz NOT NULL,
  -- The moment whose state it holds.
  cut_time timestamptz NOT NULL,
  finished_time timestamptz NOT NULL,
  -- Bytes of all that it needs, and of what it had to write: the rest was in earlier backups.
  size_bytes bigint NOT NULL,
  written_bytes bigint NOT NULL,
  PRIMARY KEY (backup_id)
);
CREATE INDEX backups_finished ON backups (finished_time);

-- No Access: nodes that, with all below them, are closed to users and groups of their workspace.
CREATE TABLE closed_nodes (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C",
  group_id text COLLATE "C",
  CHECK (num_nonnulls(user_id, group_id) = 1),
  FOREIGN KEY (group_id) REFERENCES user_groups(group_id) ON DELETE CASCADE,
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE,
  UNIQUE (node_id, group_id),
  UNIQUE (node_id, user_id),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id)
);
CREATE INDEX closed_nodes_group ON closed_nodes (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX closed_nodes_owner ON closed_nodes (owner_id);

-- Nodes whose configuration says more to other services than it did to those of the release before: programs and shared code. The first
-- pod of the release announces them.
CREATE TABLE due_announcements (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (node_id),
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE,
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE
);
CREATE INDEX due_announcements_owner ON due_announcements (owner_id);

-- Files in the object store, in segments (docs/reference/attachments.md). Attachments name theirs in config.file; clones and
-- instances share it, for the bytes of a file never change.
CREATE TABLE files (
  file_id text COLLATE "C" NOT NULL,
  -- No foreign key: bytes are removed after their account.
  owner_id text COLLATE "C" NOT NULL,
  segment_bytes integer NOT NULL,
  -- Segments that may be stored.
  segments integer NOT NULL DEFAULT 0,
  -- NULL until all of them are.
  size_bytes bigint,
  -- When somebody looks whether a node still names it, Unix ms; NULL = some node does.
  due_ms bigint,
  -- Its bytes are being removed: no node will name it any more.
  is_removing boolean NOT NULL DEFAULT false,
  -- An upload began here: whoever goes on with it must be allowed to work there. NULL: it began before this migration.
  workspace_id text COLLATE "C",
  PRIMARY KEY (file_id),
  CHECK (file_id ~ '^[0-9a-f]{24}$'::text)
);
CREATE INDEX files_due ON files (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX files_owner ON files (owner_id);

-- Nodes that are deleted, or have been moved, were here: some who saw them do not see them any more. Kept for a week.
CREATE TABLE gone_nodes (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  created_ms bigint NOT NULL,
  -- Users and groups to whom the node, or one above it, was closed (No Access).
  closed_to text[] NOT NULL,
  gone_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE
);
CREATE INDEX gone_nodes_owner ON gone_nodes (owner_id, created_ms, node_id);
CREATE INDEX gone_nodes_time ON gone_nodes (gone_at);

-- Instances of templates.
CREATE TABLE instances (
  -- The root.
  instance_id text COLLATE "C" NOT NULL,
  template_id text COLLATE "C" NOT NULL,
  -- Revision of the template that the instance follows.
  revision bigint NOT NULL,
  -- Given when the instance was made, over the template's by name: [{name, value}].
  metadata jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (instance_id),
  FOREIGN KEY (instance_id) REFERENCES nodes(node_id) ON DELETE CASCADE,
  FOREIGN KEY (template_id) REFERENCES templates(template_id) ON DELETE CASCADE
);
CREATE INDEX instances_template ON instances (template_id, revision);

-- Requests with a key of their own (docs/reference/requests-and-errors.md#repeated-requests), and what was answered.
CREATE TABLE keyed_requests (
  owner_id text COLLATE "C" NOT NULL,
  -- SHA-256 of the caller's key or session together with the key of the request.
  key_sha256 bytea NOT NULL,
  -- Names the request to whoever carries it out.
  request_id text COLLATE "C" NOT NULL,
  -- Digests of method, path and query, and of the body: NULL until that is known.
  head_sha256 bytea NOT NULL,
  body_sha256 bytea,
  -- When its first try arrived, Unix ms.
  arrival_ms bigint NOT NULL,
  try_number integer NOT NULL DEFAULT 1,
  -- A try is under way until then; NULL = the last one has ended.
  held_until timestamptz,
  -- The try whose transaction has changed something here.
  done_by integer,
  -- The answer; status NULL = nothing that is kept, body NULL = it was too large.
  status integer,
  content_type text,
  body bytea,
  begun_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_id, key_sha256),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  UNIQUE (request_id)
);
CREATE INDEX keyed_requests_begun ON keyed_requests (begun_at);

-- The queue of packages/mail.
CREATE TABLE mails (
  mail_id uuid NOT NULL,
  -- Order in which they were asked for.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  recipient text NOT NULL,
  template text NOT NULL,
  facts jsonb NOT NULL,
  created_ms bigint NOT NULL,
  -- When it is tried (again).
  due_ms bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Given up: refused, or tried too often.
  failed_ms bigint,
  last_error text,
  PRIMARY KEY (mail_id)
);
CREATE INDEX mails_due ON mails (due_ms) WHERE failed_ms IS NULL;

-- The alarms service has said this of a node.
CREATE TABLE node_alarms (
  node_id text COLLATE "C" NOT NULL,
  -- NULL = nothing reported yet, '' = no state.
  current_state_id text,
  state_revision bigint NOT NULL DEFAULT 0,
  -- By alarm type: {revision, alarmState, message, categoryId, activeTime, acknowledgeTime, acknowledgeUsername, acknowledgeComment};
  -- times in Unix ms, null when unset.
  alarms jsonb NOT NULL DEFAULT '{}',
  -- The record that has brought the current state, by its time (Unix ms): what alarms said counts from that record on. NULL = always.
  current_state_ms bigint,
  -- Raised alarms of one account, whatever the other accounts of the installation have: for GET /alarms and the counts of GET /nodes/children. The
  -- account of a node never changes. The condition of the index is that of RAISED in src/views/store/raised-alarms-query.ts.
  owner_id text COLLATE "C",
  PRIMARY KEY (node_id),
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE
) WITH (fillfactor=70);
-- Nodes with an alarm that is not CLEARED, for GET /alarms: of all nodes they are few. The condition is that of RAISED in
-- src/views/store/raised-alarms-query.ts.
CREATE INDEX node_alarms_raised ON node_alarms (node_id) WHERE alarms @? '$.*?(@."alarmState" != "CLEARED")'::jsonpath;
CREATE INDEX node_alarms_raised_of_owner ON node_alarms (owner_id, node_id) WHERE alarms @? '$.*?(@."alarmState" != "CLEARED")'::jsonpath;
-- Whoever writes the row, pods of before too.
CREATE TRIGGER name_owner_of_alarms BEFORE INSERT OR UPDATE ON node_alarms FOR EACH ROW WHEN (new.owner_id IS NULL) EXECUTE FUNCTION name_owner_of_alarms();

-- GET /nodes/search looks in this: one row for each node, kept by triggers, whoever changes nodes. It is read by account from one end to the other,
-- which finds words anywhere in a text and needs no extension of PostgreSQL: 50 000 rows are some 10 MB.
CREATE TABLE node_texts (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  class text COLLATE "C" NOT NULL,
  -- All texts are folded: lower-case, without accents.
  name text COLLATE "C" NOT NULL,
  -- customId, then metadata, an entry a line; of long ones the beginning.
  more text COLLATE "C" NOT NULL,
  -- Names from the Workspace down to the parent, parted by '/'.
  above text COLLATE "C" NOT NULL,
  PRIMARY KEY (node_id),
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE
);
CREATE INDEX node_texts_owner ON node_texts (owner_id);

-- Data have made this of a node: one row for each parameter, Location and source, made with the node and changed in place.
-- Shown values of a node: computed by one function (src/shown/domain/shown.ts) when something that they depend on changes.
-- Attachment sources: files of the UTC day, and those that its limit has refused (docs/reference/writing.md#daily-limits).
-- Devices reports this of the sessions of a source, and the value of a control parameter that waits to be sent.
CREATE TABLE node_values (
  node_id text COLLATE "C" NOT NULL,
  -- Newest record having a value, the one before it, and the oldest. Times: Unix ms. Values as stored, before multiplier
  -- and offset: number, string, {"$millis": n} or [latitude, longitude].
  current_ms bigint,
  current_value jsonb,
  current_quality integer,
  previous_ms bigint,
  previous_value jsonb,
  previous_quality integer,
  oldest_ms bigint,
  oldest_value jsonb,
  oldest_quality integer,
  -- When any record was last written or deleted, Unix ms.
  updated_ms bigint,
  -- Sources only.
  last_attempt_ms bigint,
  last_success_ms bigint,
  total_attempts bigint NOT NULL DEFAULT 0,
  total_successes bigint NOT NULL DEFAULT 0,
  last_record_count bigint NOT NULL DEFAULT 0,
  -- The record's value with multiplier and offset; NULL where it is no finite number.
  current_number double precision,
  previous_number double precision,
  oldest_number double precision,
  -- Id of the record's state; NULL = none.
  current_state text COLLATE "C",
  previous_state text COLLATE "C",
  oldest_state text COLLATE "C",
  -- Sources: currentStatus.
  status text COLLATE "C",
  -- Grows whenever the shown values are computed.
  shown_count bigint NOT NULL DEFAULT 0,
  -- The shown values are out of date: the row is from before this migration, or its last writer did not compute them.
  is_stale boolean NOT NULL DEFAULT true,
  -- Days since 1970.
  files_day integer,
  files_of_day integer NOT NULL DEFAULT 0,
  files_refused integer NOT NULL DEFAULT 0,
  -- SourceChanged.revision, status, session_attempts, session_successes; the totals of the source hold these attempts too.
  session_revision bigint NOT NULL DEFAULT '-1',
  session_status text COLLATE "C",
  session_attempts bigint NOT NULL DEFAULT 0,
  session_successes bigint NOT NULL DEFAULT 0,
  logger_model text COLLATE "C",
  logger_firmware text COLLATE "C",
  logger_program text COLLATE "C",
  -- The value as it is shown: a number, text or {"$millis": n}; NULL = none waits.
  control_value jsonb,
  -- ControlChanged.revision.
  control_revision bigint,
  PRIMARY KEY (node_id),
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE
) WITH (fillfactor=70);
-- The pass looks for stale rows. After the first pass there are few, so writes of values do not touch this index.
CREATE INDEX node_values_stale ON node_values (node_id) WHERE is_stale;

-- Templates and their instances (docs/reference/templates.md#instances). A template is a node directly under the account's
-- node of class Templates, with all below it.
CREATE TABLE nodes (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  -- Own id on a Workspace.
  workspace_id text COLLATE "C" NOT NULL,
  parent_id text COLLATE "C",
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
  public_id text COLLATE "C",
  -- Unix ms.
  created_ms bigint NOT NULL,
  revision bigint NOT NULL,
  -- Attributes of the class that differ from their defaults, by public name.
  config jsonb NOT NULL DEFAULT '{}',
  -- Nodes of instances: the node of the template that this one follows, and the root of its instance.
  template_node_id text COLLATE "C",
  instance_id text COLLATE "C",
  PRIMARY KEY (node_id),
  CONSTRAINT nodes_instance_whole CHECK ((template_node_id IS NULL) = (instance_id IS NULL)),
  CHECK (node_id ~ '^[0-9a-f]{24}$'::text),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  FOREIGN KEY (parent_id) REFERENCES nodes(node_id) ON DELETE CASCADE,
  UNIQUE (public_id)
);
-- Sources that bring data by themselves: the devices service lists them when it starts.
CREATE INDEX nodes_acquiring ON nodes (node_id) WHERE (class COLLATE "C") ~~ 'source.%'::text AND class <> 'source.data.Processor'::text AND (COALESCE((config -> 'transport'::text) ->> 'class'::text, 'None'::text) <> 'None'::text OR COALESCE(config ->> 'scheduleType'::text, 'NONE'::text) <> 'NONE'::text);
CREATE INDEX nodes_coordinate_source ON nodes ((config ->> 'coordinateSourceId'::text)) WHERE (config ->> 'coordinateSourceId'::text) IS NOT NULL;
CREATE UNIQUE INDEX nodes_custom_id ON nodes (owner_id, custom_id) WHERE custom_id IS NOT NULL;
CREATE INDEX nodes_file ON nodes (((config -> 'file'::text) ->> 'id'::text)) WHERE ((config -> 'file'::text) ->> 'id'::text) IS NOT NULL;
-- Locations show the newest attachment of their image source, and attachment sources their own newest one: streams of changes show both when
-- an attachment comes or goes, so what they show of it counts as written.
CREATE INDEX nodes_image_source ON nodes ((config ->> 'imageSourceId'::text)) WHERE (config ->> 'imageSourceId'::text) IS NOT NULL;
CREATE UNIQUE INDEX nodes_instance ON nodes (instance_id, template_node_id) WHERE instance_id IS NOT NULL;
CREATE INDEX nodes_owner_class ON nodes (owner_id, class);
-- NULLS FIRST: the order that lists are asked for.
CREATE INDEX nodes_owner_created ON nodes (owner_id, created_ms NULLS FIRST, node_id);
-- A device is looked for among the sources of one account: names of others cost and reveal nothing
-- (docs/reference/devices.md#device-attributes).
CREATE INDEX nodes_owner_device ON nodes (owner_id, ((config -> 'transport'::text) ->> 'deviceId'::text)) WHERE ((config -> 'transport'::text) ->> 'deviceId'::text) IS NOT NULL;
-- Filters by name and by class find their nodes without looking at all others of the account.
CREATE INDEX nodes_owner_name ON nodes (owner_id, name);
-- Push transports are addressed by their key alone (docs/reference/acquisition.md#transports): unique in the installation.
CREATE UNIQUE INDEX nodes_push_key ON nodes (((config -> 'transport'::text) ->> 'key'::text)) WHERE ((config -> 'transport'::text) ->> 'key'::text) IS NOT NULL;
-- Sources whose attachments are removed after some days (docs/reference/node-tree.md#attributes-of-classes).
CREATE INDEX nodes_remove_after ON nodes (node_id) WHERE (config -> 'removeAfterDays'::text) IS NOT NULL;
CREATE UNIQUE INDEX nodes_series_key ON nodes (parent_id, series_key) WHERE series_key IS NOT NULL;
CREATE UNIQUE INDEX nodes_sibling_name ON nodes (parent_id, name_key) WHERE parent_id IS NOT NULL;
CREATE UNIQUE INDEX nodes_station ON nodes (((config -> 'transport'::text) ->> 'class'::text), COALESCE((config -> 'transport'::text) ->> 'siteId'::text, (((config -> 'transport'::text) ->> 'meshliumId'::text) || ' '::text) || ((config -> 'transport'::text) ->> 'waspmoteId'::text)), (
CASE (config -> 'transport'::text) ->> 'class'::text
    WHEN 'Meshlium'::text THEN node_id
    ELSE ''::text
END)) WHERE ((config -> 'transport'::text) ->> 'class'::text) = ANY (ARRAY['TcpServer'::text, 'Meshlium'::text]);
CREATE INDEX nodes_template_node ON nodes (template_node_id) WHERE template_node_id IS NOT NULL;
CREATE UNIQUE INDEX nodes_templates ON nodes (owner_id) WHERE class = 'Templates'::text;
CREATE INDEX nodes_workspace ON nodes (workspace_id);
CREATE UNIQUE INDEX nodes_workspace_name ON nodes (owner_id, name_key) WHERE parent_id IS NULL;
CREATE TRIGGER count_deleted_nodes AFTER DELETE ON nodes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_to_node_count();
CREATE TRIGGER count_inserted_nodes AFTER INSERT ON nodes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_to_node_count();
CREATE TRIGGER write_texts_of_changed_node AFTER UPDATE ON nodes FOR EACH ROW WHEN (old.name_key <> new.name_key OR old.parent_id IS DISTINCT FROM new.parent_id OR old.workspace_id <> new.workspace_id OR old.custom_id IS DISTINCT FROM new.custom_id OR (old.config -> 'metadata'::text) IS DISTINCT FROM (new.config -> 'metadata'::text)) EXECUTE FUNCTION write_texts_of_changed_node();
CREATE TRIGGER write_texts_of_new_nodes AFTER INSERT ON nodes REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION write_texts_of_new_nodes();

-- Messages to a person within an hour of the clock (UTC), of whatever account.
CREATE TABLE notification_counts (
  user_id text COLLATE "C" NOT NULL,
  channel text NOT NULL,
  -- Begin of the hour, Unix ms.
  hour_ms bigint NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (user_id, channel, hour_ms),
  CHECK (channel = ANY (ARRAY['email'::text, 'sms'::text])),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX notification_counts_hour ON notification_counts (hour_ms);

-- How: per category of the account; no row = neither.
CREATE TABLE notification_preferences (
  workspace_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  category_id text COLLATE "C" NOT NULL,
  email boolean NOT NULL,
  sms boolean NOT NULL,
  PRIMARY KEY (workspace_id, user_id, category_id),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id),
  FOREIGN KEY (workspace_id) REFERENCES nodes(node_id) ON DELETE CASCADE
);
CREATE INDEX notification_preferences_owner ON notification_preferences (owner_id);

-- Events whose notifications have been asked for: one that comes twice asks for nothing more. Kept as long as the broker may repeat it.
CREATE TABLE notified_events (
  event_id text COLLATE "C" NOT NULL,
  -- Unix ms.
  taken_ms bigint NOT NULL,
  PRIMARY KEY (event_id)
);
CREATE INDEX notified_events_taken ON notified_events (taken_ms);

-- Messages of transactions that are to be published, in the order of their ids (packages/pg).
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL,
  PRIMARY KEY (id)
);

-- Counters whose sum changes with whatever a list of the account's nodes shows. One row for each writer, so that
-- configuration, partitions and alarms do not wait for one another.
CREATE TABLE owner_revisions (
  owner_id text COLLATE "C" NOT NULL,
  writer text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (owner_id, writer),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE
) WITH (fillfactor=50);

-- Accounts. Every change of an account's configuration takes this row's lock first, so structure changes of one account
-- come one after the other (unique names, containment and cascades need no further care) and never deadlock.
CREATE TABLE owners (
  owner_id text COLLATE "C" NOT NULL,
  account_name text NOT NULL,
  account_type text NOT NULL,
  slug text NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE',
  -- [{_id, name, index}], docs/reference/notifications.md#subscriptions-and-preferences
  categories jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- This person signed up for the account.
  owner_user_id text COLLATE "C" NOT NULL,
  -- MANAGED accounts, and managed TRIAL ones: the account whose owner and administrators manage this one.
  parent_owner_id text COLLATE "C",
  -- NULL = no limit. Sources: sum of rated sources, docs/reference/accounts-and-usage.md#usage.
  source_limit double precision,
  -- Messages a calendar month.
  sms_limit double precision,
  -- Quality codes count so in an account (docs/reference/quality.md#quality-codes); NULL = as by default.
  quality jsonb,
  -- Rows acquired and stored per data source and UTC day (docs/reference/writing.md#daily-limits): 0 = no limit, NULL = as the
  -- installation has it.
  row_limit integer,
  shown_codes jsonb GENERATED ALWAYS AS (shown_codes(quality)) STORED,
  -- Nodes of each account, so that their limit needs no count of them all. Kept by triggers: right whoever inserts or deletes, also
  -- by cascades. Writers of one account hold its row already.
  node_count integer NOT NULL DEFAULT 0,
  -- Days that records, and events, of the account are kept (docs/operations/retention.md): 0 = for ever, NULL = as the installation has it.
  record_days integer,
  event_days integer,
  PRIMARY KEY (owner_id),
  CHECK (char_length(account_name) >= 1 AND char_length(account_name) <= 120),
  CHECK (account_type = ANY (ARRAY['STANDARD'::text, 'PREMIUM'::text, 'STARTER'::text, 'TRIAL'::text, 'MANAGED'::text])),
  CHECK (event_days >= 0 AND event_days <= 36500),
  CHECK (owner_id ~ '^[0-9a-f]{24}$'::text),
  FOREIGN KEY (owner_user_id) REFERENCES users(user_id),
  FOREIGN KEY (parent_owner_id) REFERENCES owners(owner_id),
  CHECK (record_days >= 0 AND record_days <= 36500),
  CHECK (row_limit >= 0),
  CHECK (slug ~ '^[a-z0-9]{3,20}$'::text),
  UNIQUE (slug),
  CHECK (sms_limit >= 0::double precision),
  CHECK (source_limit >= 0::double precision),
  CHECK (status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text]))
);
CREATE INDEX owners_parent ON owners (parent_owner_id) WHERE parent_owner_id IS NOT NULL;

-- Last message of the ingest log that has been applied, per partition.
CREATE TABLE partition_progress (
  partition integer NOT NULL,
  log_sequence bigint NOT NULL,
  -- Up to where a partition was applied before the newest messages: they may come in groups of which some were known.
  previous_sequence bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (partition)
);

-- Links that let their holder set a password, once: to finish a profile, or because the old password is forgotten. The token
-- in the link is derived from the id with the installation's secret, so neither this table nor the queue of mails opens anything.
CREATE TABLE person_links (
  link_id uuid NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  purpose text NOT NULL,
  token_sha256 bytea NOT NULL,
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL,
  -- The link went to the e-mail itself. Links of before prove nothing: the same row may have been shown in an answer and mailed.
  proves_email boolean NOT NULL DEFAULT false,
  PRIMARY KEY (link_id),
  CHECK (purpose = ANY (ARRAY['activate'::text, 'reset'::text])),
  CHECK (octet_length(token_sha256) = 32),
  UNIQUE (token_sha256),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX person_links_expiry ON person_links (expires_ms);
CREATE INDEX person_links_user ON person_links (user_id);

-- People keep here how they like to see an account: chosen columns, and the like. Nobody else sees it.
CREATE TABLE preferences (
  owner_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  -- JSON as it is answered.
  value text NOT NULL,
  PRIMARY KEY (owner_id, user_id, key),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX preferences_user ON preferences (user_id);

-- Messages of the outbox that the broker will never take (too large, no stream for their subject): kept for people, for 30 days.
CREATE TABLE refused_outbox (
  id bigint NOT NULL,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL,
  -- The broker said this.
  reason text NOT NULL,
  refused_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id)
);
CREATE INDEX refused_outbox_by_time ON refused_outbox (refused_time);

-- Mails of a run: to whom, and what has become of them.
CREATE TABLE report_mails (
  node_id text COLLATE "C" NOT NULL,
  -- Unix ms: with node_id, the run.
  due_ms bigint NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The address at that time.
  email text NOT NULL,
  -- Sent or given up.
  is_over boolean NOT NULL DEFAULT false,
  -- Why it was not sent, for people; NULL = it was, or is on its way.
  problem text,
  PRIMARY KEY (node_id, due_ms, user_id),
  FOREIGN KEY (node_id, due_ms) REFERENCES report_runs(node_id, due_ms) ON DELETE CASCADE
);

-- A report that is to be made for a due time, or was. No foreign keys: whoever makes one locks nothing of its account.
CREATE TABLE report_runs (
  node_id text COLLATE "C" NOT NULL,
  -- Unix ms.
  due_ms bigint NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- When it was last begun, Unix ms: accounts take turns by it.
  begun_ms bigint NOT NULL DEFAULT 0,
  -- Nobody else begins it before, Unix ms.
  lease_ms bigint NOT NULL DEFAULT 0,
  -- Made, failed or given up: it is not begun again.
  is_over boolean NOT NULL DEFAULT false,
  -- The PDF, in the table files; NULL = there is none.
  file_id text COLLATE "C",
  -- Mails that are neither sent nor given up; the file is kept for them.
  open_mails integer NOT NULL DEFAULT 0,
  -- E-mail of who has asked for it; NULL = its schedule.
  asked_by text,
  -- Why there is no PDF, for people; NULL = it was made, or is not over.
  problem text,
  PRIMARY KEY (node_id, due_ms)
);
CREATE INDEX report_runs_due ON report_runs (due_ms);
CREATE INDEX report_runs_owner ON report_runs (owner_id, begun_ms);
CREATE INDEX report_runs_waiting ON report_runs (lease_ms) WHERE NOT is_over;

-- Reports that have had a schedule, and when they are due. A row says nothing of what its report is at the moment: whoever takes it reads that.
CREATE TABLE report_schedules (
  node_id text COLLATE "C" NOT NULL,
  -- Unix ms; NULL = never: the schedule was taken away or switched off, or the report lies in a template.
  due_ms bigint,
  -- The due time that was last taken, Unix ms: at most one in a day of the report's zone.
  last_ms bigint,
  -- The schedule or the zone has changed since due_ms was computed.
  is_stale boolean NOT NULL DEFAULT true,
  PRIMARY KEY (node_id),
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE
);
CREATE INDEX report_schedules_due ON report_schedules (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX report_schedules_stale ON report_schedules (node_id) WHERE is_stale;

-- Roles of accounts: permissions in a Workspace by a name.
CREATE TABLE roles (
  role_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  -- docs/reference/people-and-security.md#permissions-and-roles, in the order of its table.
  permissions text[] NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (role_id),
  CONSTRAINT roles_name UNIQUE (owner_id, name_key),
  CHECK (char_length(name) >= 1 AND char_length(name) <= 60),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  CHECK (role_id ~ '^[0-9a-f]{24}$'::text)
);

-- People who are signed in, a row for each browser.
CREATE TABLE sessions (
  -- SHA-256 of what the browser holds.
  session_sha256 bytea NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  -- The account that the person works in; NULL = none is left or chosen.
  owner_id text COLLATE "C",
  created_ms bigint NOT NULL,
  -- Brought up to date at most once a minute.
  used_ms bigint NOT NULL,
  -- The end, used or not.
  expires_ms bigint NOT NULL,
  PRIMARY KEY (session_sha256),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE SET NULL,
  CHECK (octet_length(session_sha256) = 32),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);
CREATE INDEX sessions_expiry ON sessions (expires_ms);
CREATE INDEX sessions_owner ON sessions (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX sessions_user ON sessions (user_id);

-- People came in lately like this: they see it, and end what goes on elsewhere.
CREATE TABLE sign_ins (
  sign_in_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  at_ms bigint NOT NULL,
  way text NOT NULL,
  -- The address as it came to the gateway; empty = not known.
  client_address text NOT NULL,
  user_agent text NOT NULL,
  -- NULL = its session has ended.
  session_sha256 bytea,
  PRIMARY KEY (sign_in_id),
  FOREIGN KEY (session_sha256) REFERENCES sessions(session_sha256) ON DELETE SET NULL,
  UNIQUE (session_sha256),
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE,
  CHECK (way = ANY (ARRAY['password'::text, 'link'::text]))
);
CREATE INDEX sign_ins_time ON sign_ins (at_ms);
CREATE INDEX sign_ins_user ON sign_ins (user_id, at_ms);

-- SMS of accounts by calendar month (docs/reference/notifications.md#limits-of-sms).
CREATE TABLE sms_usage (
  owner_id text COLLATE "C" NOT NULL,
  -- Begin of the month (UTC), Unix ms.
  month_ms bigint NOT NULL,
  -- Those that were given up are taken off again.
  count integer NOT NULL DEFAULT 0,
  -- The owner has been notified of this share of the limit, in percent.
  told_percent integer NOT NULL DEFAULT 0,
  PRIMARY KEY (owner_id, month_ms),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX sms_usage_month ON sms_usage (month_ms);

-- Counts how often a siteId that an account chose was refused on a day of UTC: few times, since each refusal says that there is such a station.
CREATE TABLE station_refusals (
  owner_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  refusals integer NOT NULL,
  PRIMARY KEY (owner_id),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE
);

-- People who want no mails of a report any more, and get none by a group either.
CREATE TABLE stopped_reports (
  node_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (node_id, user_id),
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id) ON DELETE CASCADE
);

-- These are notified of the alarms of a node.
CREATE TABLE subscriptions (
  node_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C",
  group_id text COLLATE "C",
  CHECK (num_nonnulls(user_id, group_id) = 1),
  FOREIGN KEY (group_id) REFERENCES user_groups(group_id) ON DELETE CASCADE,
  FOREIGN KEY (node_id) REFERENCES nodes(node_id) ON DELETE CASCADE,
  UNIQUE (node_id, group_id),
  UNIQUE (node_id, user_id),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id)
);
CREATE INDEX subscriptions_group ON subscriptions (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX subscriptions_owner ON subscriptions (owner_id);

-- Templates that have had an instance. A deleted template stays here until its last instance is gone.
CREATE TABLE templates (
  template_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  -- Grows with every change of the template.
  revision bigint NOT NULL,
  -- This person made the last change.
  username text NOT NULL,
  -- From when on (Unix ms) instances of older revisions are to follow; NULL = none is.
  due_ms bigint,
  PRIMARY KEY (template_id),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE
);
CREATE INDEX templates_due ON templates (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX templates_owner ON templates (owner_id);

-- Trials of accounts (docs/reference/accounts-and-usage.md#account): one row for each account of type TRIAL.
CREATE TABLE trials (
  owner_id text COLLATE "C" NOT NULL,
  -- Unix ms. Then the account is disabled …
  ends_ms bigint NOT NULL,
  -- … and, once it is, deleted at this time.
  removal_ms bigint,
  PRIMARY KEY (owner_id),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE
);
CREATE INDEX trials_end ON trials (ends_ms) WHERE removal_ms IS NULL;
CREATE INDEX trials_removal ON trials (removal_ms) WHERE removal_ms IS NOT NULL;

-- Members of groups.
CREATE TABLE user_group_members (
  group_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (group_id, user_id),
  FOREIGN KEY (group_id) REFERENCES user_groups(group_id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES users(user_id)
);
CREATE INDEX user_group_members_user ON user_group_members (user_id);

-- Groups of people of an account.
CREATE TABLE user_groups (
  group_id text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- Lower-case name.
  name_key text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (group_id),
  CHECK (group_id ~ '^[0-9a-f]{24}$'::text),
  CONSTRAINT user_groups_name UNIQUE (owner_id, name_key) DEFERRABLE INITIALLY DEFERRED,
  CHECK (char_length(name) >= 1 AND char_length(name) <= 120),
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE
);

-- Ownership of an e-mail (docs/reference/people-and-security.md#people). Until now one row stood for everybody who was named by one e-mail,
-- in any account, and whoever held any link to it set the password for all of them. From now on a row is
--   a person: proven_at is set, the e-mail belongs to nobody else; may be in many accounts;
--   a profile of one account: home_owner_id is set; made when that account names an e-mail, until its owner proves it or accepts;
--   somebody of before: neither is set (see below).
CREATE TABLE users (
  user_id text COLLATE "C" NOT NULL,
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL,
  -- '+' and 7-15 digits.
  phone text,
  -- NULL = the zone of the owner of the account that is looked at, else Etc/UTC (docs/reference/people-and-security.md#people).
  timezone text,
  timezone_adjust_for_dst boolean NOT NULL DEFAULT true,
  time_format text NOT NULL DEFAULT 'YYYY-MM-DD HH:mm:ss',
  last_login_at timestamptz(3),
  -- argon2id in the PHC text form; NULL = not activated, nobody can sign in.
  password_hash text,
  -- When the profile was finished behind its link (docs/reference/people-and-security.md#people); NULL = pending.
  activated_at timestamptz(3),
  -- The e-mail by which people are named and sign in, lower-case; several rows may have the same.
  address text NOT NULL,
  -- ON DELETE CASCADE is the last of the cascades of an account: what refers to its profiles is gone by then. Deferred: the owner's
  -- profile is made before the account.
  home_owner_id text COLLATE "C",
  -- When a link that was mailed to the address, or handed out by whoever runs the installation, was used.
  proven_at timestamptz(3),
  -- The Workspace whose users were given the profile's link; NULL = the account was. Only while there is no proof.
  link_workspace_id text COLLATE "C",
  PRIMARY KEY (user_id),
  CONSTRAINT users_active_have_password CHECK ((password_hash IS NULL) = (activated_at IS NULL)),
  FOREIGN KEY (home_owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT users_person_or_profile CHECK (home_owner_id IS NULL OR proven_at IS NULL),
  CHECK (user_id ~ '^[0-9a-f]{24}$'::text)
);
CREATE INDEX users_address ON users (address);
CREATE UNIQUE INDEX users_person ON users (address) WHERE proven_at IS NOT NULL;
CREATE UNIQUE INDEX users_profile ON users (home_owner_id, address) WHERE home_owner_id IS NOT NULL;

-- Users and groups of workspaces.
CREATE TABLE workspace_access (
  -- Order in which they were added.
  entry_id bigint GENERATED ALWAYS AS IDENTITY,
  owner_id text COLLATE "C" NOT NULL,
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C",
  group_id text COLLATE "C",
  -- NULL = the role has been deleted: VIEW only.
  role_id text COLLATE "C",
  -- Unix ms; NULL = does not end.
  expires_ms bigint,
  PRIMARY KEY (entry_id),
  CHECK (num_nonnulls(user_id, group_id) = 1),
  FOREIGN KEY (group_id) REFERENCES user_groups(group_id) ON DELETE CASCADE,
  FOREIGN KEY (owner_id) REFERENCES owners(owner_id) ON DELETE CASCADE,
  FOREIGN KEY (role_id) REFERENCES roles(role_id) ON DELETE SET NULL,
  FOREIGN KEY (user_id) REFERENCES users(user_id),
  FOREIGN KEY (workspace_id) REFERENCES nodes(node_id) ON DELETE CASCADE,
  UNIQUE (workspace_id, group_id),
  UNIQUE (workspace_id, user_id)
);
CREATE INDEX workspace_access_end ON workspace_access (expires_ms) WHERE expires_ms IS NOT NULL;
CREATE INDEX workspace_access_group ON workspace_access (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX workspace_access_owner ON workspace_access (owner_id);
CREATE INDEX workspace_access_role ON workspace_access (role_id);
CREATE INDEX workspace_access_user ON workspace_access (user_id, owner_id) WHERE user_id IS NOT NULL;

-- The accounts that a user has been named in. Managers of managed accounts are in the account above only.
CREATE VIEW memberships AS
SELECT owner_user_id AS user_id, owner_id FROM owners
UNION ALL
SELECT user_id, owner_id FROM administrators
UNION ALL
SELECT m.user_id, g.owner_id FROM user_group_members m JOIN user_groups g USING (group_id)
UNION ALL
SELECT user_id, owner_id FROM workspace_access WHERE user_id IS NOT NULL;

-- These may do everything in an account (docs/reference/people-and-security.md#standing); one person may stand there more than once.
CREATE VIEW standings AS
SELECT owner_id, owner_user_id AS user_id, 'OWNER' AS standing FROM owners
UNION ALL
SELECT owner_id, user_id, 'ADMINISTRATOR' FROM administrators
UNION ALL
SELECT o.owner_id, p.owner_user_id, 'MANAGER' FROM owners o JOIN owners p ON p.owner_id = o.parent_owner_id
UNION ALL
SELECT o.owner_id, a.user_id, 'MANAGER' FROM owners o JOIN administrators a ON a.owner_id = o.parent_owner_id;

-- Every way by which a user has come to access: an own entry, or (group_id) a group. Whoever reads leaves out what has ended.
CREATE VIEW user_access AS
SELECT a.owner_id, a.workspace_id, a.user_id, NULL::text COLLATE "C" AS group_id, a.expires_ms,
  coalesce(r.name, '') AS role, coalesce(r.permissions, ARRAY['VIEW']) AS permissions
FROM workspace_access a LEFT JOIN roles r USING (role_id) WHERE a.user_id IS NOT NULL
UNION ALL
SELECT a.owner_id, a.workspace_id, m.user_id, a.group_id, a.expires_ms,
  coalesce(r.name, ''), coalesce(r.permissions, ARRAY['VIEW'])
FROM workspace_access a JOIN user_group_members m USING (group_id) LEFT JOIN roles r USING (role_id);

CREATE OR REPLACE FUNCTION add_to_node_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

-- foldedText in src/views/domain/folded-text.ts does the same.
CREATE OR REPLACE FUNCTION folded_text(given text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN octet_length(given) = char_length(given) THEN lower(given COLLATE "default")
    ELSE lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f]', '', 'g') COLLATE "default") END
$function$;

-- Whoever writes the row, pods of before too.
CREATE OR REPLACE FUNCTION name_owner_of_alarms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  SELECT owner_id INTO NEW.owner_id FROM nodes WHERE node_id = NEW.node_id;
  RETURN NEW;
END
$function$;

-- The codes that an account shows for numbers of its sources (docs/reference/quality.md#quality-codes), by these numbers;
-- NULL = all as they are.
CREATE OR REPLACE FUNCTION shown_codes(quality jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT jsonb_object_agg(source, code -> 'code')
  FROM jsonb_array_elements(quality -> 'codes') AS code, jsonb_array_elements_text(code -> 'sourceQuality') AS source
$function$;

-- As before, without a statement where there is no metadata.
CREATE OR REPLACE FUNCTION text_beside_name(custom_id text, metadata jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
DECLARE entries text := '';
BEGIN
  IF jsonb_typeof(metadata) = 'array' THEN
    entries := coalesce((SELECT folded_text(string_agg(concat_ws(' ', entry ->> 'name', entry ->> 'value'), E'\n')) FROM jsonb_array_elements(metadata) entry), '');
  END IF;
  RETURN left(coalesce(folded_text(custom_id), '') || E'\n' || entries, 4000);
END
$function$;

-- The texts of a new node are written without a look at all other nodes: PostgreSQL expected so many rows below it that it read the whole table at each
-- step (28 ms of processor time for a node beside 50 000 others). `OFFSET 0` has each step look up its rows by index. Functions of PL/pgSQL keep their
-- plans, those of SQL are planned at each call.
CREATE OR REPLACE FUNCTION write_texts_of_branches(tops text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION write_texts_of_changed_node()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.name_key <> NEW.name_key OR OLD.parent_id IS DISTINCT FROM NEW.parent_id THEN
    PERFORM write_texts_of_branches(ARRAY[NEW.node_id]);
  ELSE
    UPDATE node_texts SET workspace_id = NEW.workspace_id, more = text_beside_name(NEW.custom_id, NEW.config -> 'metadata')
    WHERE node_id = NEW.node_id;
  END IF;
  RETURN NULL;
END
$function$;

CREATE OR REPLACE FUNCTION write_texts_of_new_nodes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM write_texts_of_branches(ARRAY(
    SELECT a.node_id FROM added a WHERE NOT EXISTS (SELECT FROM added above WHERE above.node_id = a.parent_id)));
  RETURN NULL;
END
$function$;

-- Returns whether a row was written after a snapshot. Rows have the lower half of the transaction's number; `next` is the first number not given yet.
-- Some transactions that ended 2^32 numbers ago seem younger, none seems older. Our transactions have no savepoints, whose numbers a
-- snapshot does not list.
CREATE OR REPLACE FUNCTION written_since(stamp xid, snapshot pg_snapshot, next bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT NOT pg_visible_in_snapshot((next - ((next - stamp::text::bigint) & 4294967295))::text::xid8, snapshot)
$function$;
