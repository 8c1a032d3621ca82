-- People keep here how they like to see an account: chosen columns, and the like. Nobody else sees it.
CREATE TABLE preferences (
  owner_id text COLLATE "C" NOT NULL REFERENCES owners ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  key text COLLATE "C" NOT NULL,
  -- JSON as it is answered.
  value text NOT NULL,
  PRIMARY KEY (owner_id, user_id, key)
);
CREATE INDEX preferences_user ON preferences (user_id);
