-- Nodes whose values only the store of records knows, which could not be asked when it had to be: they show what they had until then.
CREATE TABLE awaited_values (
  node_id text COLLATE "C" PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  owner_id text COLLATE "C" NOT NULL,
  -- When the records were changed last, Unix ms.
  updated_ms bigint NOT NULL,
  -- Grows with each change that waits: an answer from before one is none.
  version int NOT NULL DEFAULT 0,
  -- Nobody asks before.
  next_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX awaited_values_next ON awaited_values (next_at);
