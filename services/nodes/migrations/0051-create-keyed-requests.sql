-- Requests with a key of their own (docs/reference/requests-and-errors.md#repeated-requests), and what was answered.
CREATE TABLE keyed_requests (
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  -- SHA-256 of the caller's key or session together with the key of the request.
  key_sha256 bytea NOT NULL,
  -- Names the request to whoever carries it out.
  request_id text COLLATE "C" NOT NULL UNIQUE,
  -- Digests of method, path and query, and of the body: NULL until that is known.
  head_sha256 bytea NOT NULL,
  body_sha256 bytea,
  -- When its first try arrived, Unix ms.
  arrival_ms bigint NOT NULL,
  try_number int NOT NULL DEFAULT 1,
  -- A try is under way until then; NULL = the last one has ended.
  held_until timestamptz,
  -- The try whose transaction has changed something here.
  done_by int,
  -- The answer; status NULL = nothing that is kept, body NULL = it was too large.
  status int,
  content_type text,
  body bytea,
  begun_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_id, key_sha256)
);
CREATE INDEX keyed_requests_begun ON keyed_requests (begun_at);
