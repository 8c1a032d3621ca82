-- People who sign in: passwords, the links that lead to them, mails, sessions.

ALTER TABLE users
  -- argon2id in the PHC text form; NULL = not activated, nobody can sign in.
  ADD COLUMN password_hash text,
  -- When the profile was finished behind its link (docs/reference/people-and-security.md#people); NULL = pending.
  ADD COLUMN activated_at timestamptz(3),
  ADD CONSTRAINT users_active_have_password CHECK ((password_hash IS NULL) = (activated_at IS NULL));

-- Links that let their holder set a password, once: to finish a profile, or because the old password is forgotten. The token
-- in the link is derived from the id with the installation's secret, so neither this table nor the queue of mails opens anything.
CREATE TABLE person_links (
  link_id uuid PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('activate', 'reset')),
  token_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(token_sha256) = 32),
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL
);
CREATE INDEX person_links_user ON person_links (user_id);
CREATE INDEX person_links_expiry ON person_links (expires_ms);

-- The queue of packages/mail.
CREATE TABLE mails (
  mail_id uuid PRIMARY KEY,
  -- Order in which they were asked for.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  recipient text NOT NULL,
  template text NOT NULL,
  facts jsonb NOT NULL,
  created_ms bigint NOT NULL,
  -- When it is tried (again).
  due_ms bigint NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  -- Given up: refused, or tried too often.
  failed_ms bigint,
  last_error text
);
CREATE INDEX mails_due ON mails (due_ms) WHERE failed_ms IS NULL;

-- People who are signed in, a row for each browser.
CREATE TABLE sessions (
  -- SHA-256 of what the browser holds.
  session_sha256 bytea PRIMARY KEY CHECK (octet_length(session_sha256) = 32),
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  -- The account that the person works in; NULL = none is left or chosen.
  owner_id text COLLATE "C" REFERENCES owners ON DELETE SET NULL,
  created_ms bigint NOT NULL,
  -- Brought up to date at most once a minute.
  used_ms bigint NOT NULL,
  -- The end, used or not.
  expires_ms bigint NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_owner ON sessions (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX sessions_expiry ON sessions (expires_ms);

-- Attempts to sign in and requests for links, counted over all replicas in fixed windows.
CREATE TABLE attempts (
  -- Hash of what is counted: an address, an e-mail, both.
  key_sha256 bytea PRIMARY KEY,
  count int NOT NULL,
  window_ends_ms bigint NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX attempts_end ON attempts (window_ends_ms);
