-- Ownership of an e-mail (docs/reference/people-and-security.md#people). Until now one row stood for everybody who was named by one e-mail,
-- in any account, and whoever held any link to it set the password for all of them. From now on a row is
--   a person: proven_at is set, the e-mail belongs to nobody else; may be in many accounts;
--   a profile of one account: home_owner_id is set; made when that account names an e-mail, until its owner proves it or accepts;
--   somebody of before: neither is set (see below).
ALTER TABLE users
  -- The e-mail by which people are named and sign in, lower-case; several rows may have the same.
  ADD COLUMN address text,
  -- ON DELETE CASCADE is the last of the cascades of an account: what refers to its profiles is gone by then. Deferred: the owner's
  -- profile is made before the account.
  ADD COLUMN home_owner_id text COLLATE "C" REFERENCES owners ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  -- When a link that was mailed to the address, or handed out by whoever runs the installation, was used.
  ADD COLUMN proven_at timestamptz(3),
  -- The Workspace whose users were given the profile's link; NULL = the account was. Only while there is no proof.
  ADD COLUMN link_workspace_id text COLLATE "C",
  ADD CONSTRAINT users_person_or_profile CHECK (home_owner_id IS NULL OR proven_at IS NULL);
UPDATE users SET address = email;
ALTER TABLE users ALTER COLUMN address SET NOT NULL;

-- Services of the version before run beside this one for a while: they insert and look up by the unique column `email`. Where the
-- address is their own it is the same; a profile made from now on gets a value there that no address has. A later migration removes
-- the column with this trigger; nothing of this version reads it.
CREATE FUNCTION fill_user_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.address := coalesce(NEW.address, NEW.email);
  NEW.email := coalesce(NEW.email, NEW.address || '#' || NEW.user_id);
  RETURN NEW;
END $$;
CREATE TRIGGER fill_user_address BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION fill_user_address();

CREATE UNIQUE INDEX users_person ON users (address) WHERE proven_at IS NOT NULL;
CREATE UNIQUE INDEX users_profile ON users (home_owner_id, address) WHERE home_owner_id IS NOT NULL;
CREATE INDEX users_address ON users (address);

-- The link went to the e-mail itself. Links of before prove nothing: the same row may have been shown in an answer and mailed.
ALTER TABLE person_links ADD COLUMN proves_email boolean NOT NULL DEFAULT false;

-- The accounts that a user has been named in. Managers of managed accounts are in the account above only.
CREATE VIEW memberships AS
SELECT owner_user_id AS user_id, owner_id FROM owners
UNION ALL
SELECT user_id, owner_id FROM administrators
UNION ALL
SELECT m.user_id, g.owner_id FROM user_group_members m JOIN user_groups g USING (group_id)
UNION ALL
SELECT user_id, owner_id FROM workspace_access WHERE user_id IS NOT NULL;

-- People of before. Nothing tells whether a password was set by a link from an answer or from a mail, so nobody's e-mail counts as
-- proven: a mailed link does that, also the one of a forgotten password.
-- 1. Of one account: they are its profile. They keep password, sessions and open links; other accounts must invite them.
CREATE TEMPORARY TABLE membership_counts ON COMMIT DROP AS
SELECT user_id, array_agg(DISTINCT owner_id ORDER BY owner_id) AS owner_ids FROM memberships GROUP BY user_id;
UPDATE users u SET home_owner_id = c.owner_ids[1]
FROM membership_counts c WHERE c.user_id = u.user_id AND cardinality(c.owner_ids) = 1;
-- 2. Active in several accounts: they stay one row and keep all that they have. Their passwords are in use; to take accounts from them
-- until they find a mail would lock out owners and administrators, in installations without mail for good. Only further accounts ask.
-- 3. Named by several accounts and not active yet: one of them may hold an open link from its answer, and nobody can tell which. Those
-- links end, and each account gets a profile of its own; a new link comes by mail (naming with notify, «forgotten password»). Names
-- and phone stay with one of them: who has written them is not known either.
DELETE FROM person_links l USING users u LEFT JOIN membership_counts c USING (user_id)
WHERE l.user_id = u.user_id AND u.activated_at IS NULL AND coalesce(cardinality(c.owner_ids), 0) <> 1;
CREATE TEMPORARY TABLE split_users ON COMMIT DROP AS
SELECT u.user_id AS old_id, o.owner_id, o.n = 1 AS stays,
  CASE WHEN o.n = 1 THEN u.user_id ELSE substr(u.user_id, 1, 8) || substr(md5(u.user_id || o.owner_id), 1, 16) END AS new_id
FROM users u JOIN membership_counts c USING (user_id), unnest(c.owner_ids) WITH ORDINALITY AS o(owner_id, n)
WHERE u.activated_at IS NULL AND cardinality(c.owner_ids) > 1;
UPDATE users u SET home_owner_id = s.owner_id FROM split_users s WHERE s.stays AND s.old_id = u.user_id;
INSERT INTO users (user_id, address, home_owner_id, first_name, last_name, phone, timezone, timezone_adjust_for_dst, time_format, created_at)
SELECT s.new_id, u.address, s.owner_id, '', '', NULL, NULL, true, 'YYYY-MM-DD HH:mm:ss', u.created_at
FROM split_users s JOIN users u ON u.user_id = s.old_id WHERE NOT s.stays;
UPDATE owners t SET owner_user_id = s.new_id FROM split_users s
WHERE NOT s.stays AND t.owner_user_id = s.old_id AND t.owner_id = s.owner_id;
UPDATE administrators t SET user_id = s.new_id FROM split_users s
WHERE NOT s.stays AND t.user_id = s.old_id AND t.owner_id = s.owner_id;
UPDATE user_group_members t SET user_id = s.new_id FROM split_users s, user_groups g
WHERE NOT s.stays AND t.user_id = s.old_id AND g.group_id = t.group_id AND g.owner_id = s.owner_id;
UPDATE workspace_access t SET user_id = s.new_id FROM split_users s
WHERE NOT s.stays AND t.user_id = s.old_id AND t.owner_id = s.owner_id;
UPDATE closed_nodes t SET user_id = s.new_id FROM split_users s
WHERE NOT s.stays AND t.user_id = s.old_id AND t.owner_id = s.owner_id;
UPDATE subscriptions t SET user_id = s.new_id FROM split_users s
WHERE NOT s.stays AND t.user_id = s.old_id AND t.owner_id = s.owner_id;
UPDATE notification_preferences t SET user_id = s.new_id FROM split_users s
WHERE NOT s.stays AND t.user_id = s.old_id AND t.owner_id = s.owner_id;
UPDATE api_keys t SET user_id = s.new_id FROM split_users s
WHERE NOT s.stays AND t.user_id = s.old_id AND t.owner_id = s.owner_id;
