-- The series catalogue: what historic needs to know of every node, kept current by following the nodes service.
CREATE TABLE catalogue (
  node_id text PRIMARY KEY,
  owner_id text NOT NULL,
  -- The data source of a parameter; the node itself for all others.
  source_id text NOT NULL,
  -- '' when unset.
  custom_id text NOT NULL,
  -- Grows with every change; an older one never replaces a newer one.
  revision bigint NOT NULL,
  -- A deleted node stays as a tombstone: no late message revives it.
  is_deleted boolean NOT NULL DEFAULT false,
  -- catchment.nodes.v1.NodeConfig; empty on tombstones.
  config bytea NOT NULL
);
CREATE INDEX catalogue_by_custom_id ON catalogue (owner_id, custom_id) WHERE custom_id <> '' AND NOT is_deleted;
CREATE INDEX catalogue_by_source ON catalogue (source_id) WHERE NOT is_deleted;

-- Series whose deletion has passed the log: the writer drops every later entry of them.
CREATE TABLE deleted_series (
  node_id text PRIMARY KEY,
  deleted_time timestamptz NOT NULL DEFAULT now()
);

-- Parts of columns that did not fit into one message, until the last one is there.
CREATE TABLE column_parts (
  column_key text NOT NULL,
  part int NOT NULL,
  partition int NOT NULL,
  -- One column as a message of the ingest log.
  data bytea NOT NULL,
  -- Log sequence of the message with the last part: once a later message comes, nobody needs the parts any more.
  completed_by bigint,
  staged_time timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (column_key, part)
);
CREATE INDEX column_parts_by_partition ON column_parts (partition, completed_by);
