-- People came in lately like this: they see it, and end what goes on elsewhere.
CREATE TABLE sign_ins (
  sign_in_id text COLLATE "C" PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  at_ms bigint NOT NULL,
  way text NOT NULL CHECK (way IN ('password', 'link')),
  -- The address as it came to the gateway; empty = not known.
  client_address text NOT NULL,
  user_agent text NOT NULL,
  -- NULL = its session has ended.
  session_sha256 bytea UNIQUE REFERENCES sessions ON DELETE SET NULL
);
CREATE INDEX sign_ins_user ON sign_ins (user_id, at_ms);
CREATE INDEX sign_ins_time ON sign_ins (at_ms);

-- Sessions that go on can be ended as well.
INSERT INTO sign_ins (sign_in_id, user_id, at_ms, way, client_address, user_agent, session_sha256)
SELECT encode(substr(session_sha256, 1, 12), 'hex'), user_id, created_ms, 'password', '', '', session_sha256 FROM sessions;
