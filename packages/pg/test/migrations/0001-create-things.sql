CREATE TABLE IF NOT EXISTS things (id int PRIMARY KEY, name text UNIQUE, big bigint);
CREATE TABLE IF NOT EXISTS outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject text NOT NULL,
  data bytea NOT NULL,
  headers jsonb NOT NULL
);
