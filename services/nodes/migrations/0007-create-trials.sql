-- Trials of accounts (docs/reference/accounts-and-usage.md#account): one row for each account of type TRIAL.
CREATE TABLE trials (
  owner_id text COLLATE "C" PRIMARY KEY REFERENCES owners ON DELETE CASCADE,
  -- Unix ms. Then the account is disabled …
  ends_ms bigint NOT NULL,
  -- … and, once it is, deleted at this time.
  removal_ms bigint
);
CREATE INDEX trials_end ON trials (ends_ms) WHERE removal_ms IS NULL;
CREATE INDEX trials_removal ON trials (removal_ms) WHERE removal_ms IS NOT NULL;
-- Nobody knew of an end so far: 30 days from now.
INSERT INTO trials (owner_id, ends_ms)
SELECT owner_id, floor(extract(epoch FROM now()) * 1000)::bigint + 30 * 86400000::bigint FROM owners WHERE account_type = 'TRIAL';
