import type { Queryable } from '@catchment/pg';
import type { GivenProfile } from '../domain/user-entry.ts';

/** Mails need this of a person. */
export type MailPerson = {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  /** False while the profile waits for its activation. */
  readonly isActive: boolean;
  readonly isProven: boolean;
};

const MAIL_PERSON = `user_id AS "userId", address AS email, first_name AS "firstName", activated_at IS NOT NULL AS "isActive",
  proven_at IS NOT NULL AS "isProven"`;

export async function mailPeople(on: Queryable, userIds: readonly string[]): Promise<MailPerson[]> {
  const { rows } = await on.query<MailPerson>(
    `SELECT ${MAIL_PERSON} FROM users WHERE user_id = ANY($1) ORDER BY address`,
    [userIds],
    'mail-people',
  );
  return rows;
}

/**
 * Finds the profile that a link to an e-mail is for: that of the person who has proven it, else the one whose password was used last, else
 * the newest profile.
 */
export async function personByEmail(on: Queryable, email: string): Promise<MailPerson | undefined> {
  const { rows } = await on.query<MailPerson>(
    `SELECT ${MAIL_PERSON} FROM users WHERE address = $1
     ORDER BY proven_at IS NULL, activated_at IS NULL, last_login_at DESC NULLS LAST, created_at DESC, user_id LIMIT 1`,
    [email],
    'person-by-email',
  );
  return rows[0];
}

/** A profile can be signed in to; `hash` has the PHC text form. */
export type PasswordOf = {
  readonly userId: string;
  readonly email: string;
  readonly hash: string;
  readonly isProven: boolean;
};

/**
 * Reads the profiles of an e-mail that have a password: that of the person who has proven it, then those used last.
 * @param account owner id or slug of the requested account, whose profile comes first of all; empty = none
 */
export async function passwordsOf(on: Queryable, email: string, account: string, limit: number): Promise<PasswordOf[]> {
  const { rows } = await on.query<PasswordOf>(
    `SELECT u.user_id AS "userId", u.address AS email, u.password_hash AS hash, u.proven_at IS NOT NULL AS "isProven"
     FROM users u LEFT JOIN owners o ON o.owner_id = u.home_owner_id
     WHERE u.address = $1 AND u.password_hash IS NOT NULL
     ORDER BY (o.owner_id = $2 OR o.slug = $2) IS NOT TRUE, u.proven_at IS NULL, u.last_login_at DESC NULLS LAST, u.user_id LIMIT $3`,
    [email, account.trim().toLowerCase(), limit],
    'passwords-of',
  );
  return rows;
}

/** Reads the oldest password of an e-mail, whose salt the others share. @returns in the PHC text form; undefined = there is none */
export async function oldestPassword(on: Queryable, email: string): Promise<string | undefined> {
  const { rows } = await on.query<{ hash: string }>(
    `SELECT password_hash AS hash FROM users WHERE address = $1 AND password_hash IS NOT NULL ORDER BY activated_at, user_id LIMIT 1`,
    [email],
    'oldest-password',
  );
  return rows[0]?.hash;
}

/** @returns in the PHC text form; undefined without a password */
export async function passwordOf(on: Queryable, userId: string): Promise<string | undefined> {
  const { rows } = await on.query<{ hash: string | null }>(
    'SELECT password_hash AS hash FROM users WHERE user_id = $1',
    [userId],
    'password-of',
  );
  return rows[0]?.hash ?? undefined;
}

type StoredPerson = GivenProfile & {
  readonly email: string;
  readonly isProven: boolean;
  readonly lastLoginMs: number | null;
};

/** @param why to change it: nobody else does so meanwhile */
export async function readPerson(
  on: Queryable,
  userId: string,
  why: 'to-show' | 'to-change' = 'to-show',
): Promise<StoredPerson | undefined> {
  const { rows } = await on.query<StoredPerson>(
    `SELECT address AS email, proven_at IS NOT NULL AS "isProven", first_name AS "firstName", last_name AS "lastName", phone, timezone,
       timezone_adjust_for_dst AS "timezoneAdjustForDst", time_format AS "timeFormat",
       floor(extract(epoch FROM last_login_at) * 1000)::bigint AS "lastLoginMs"
     FROM users WHERE user_id = $1${why === 'to-change' ? ' FOR UPDATE' : ''}`,
    [userId],
  );
  return rows[0];
}

/** A person has access to this account. */
export type PersonAccount = {
  readonly ownerId: string;
  readonly accountName: string;
  readonly slug: string;
  readonly standing: 'OWNER' | 'ADMINISTRATOR' | 'MANAGER' | 'USER';
  readonly status: string;
};

const MAX_ACCOUNTS = 500;

/** One sign-in makes an entry in at most this many event logs. */
const MAX_ACCOUNTS_OF_PEOPLE = 50;

/** Reads the accounts that people belong to themselves: not those that they only manage. */
export async function accountsOfPeople(on: Queryable, userIds: readonly string[], nowMs: number): Promise<string[]> {
  const { rows } = await on.query<{ owner_id: string }>(
    `SELECT DISTINCT owner_id FROM (
       SELECT owner_id FROM owners WHERE owner_user_id = ANY ($1)
       UNION ALL SELECT owner_id FROM administrators WHERE user_id = ANY ($1)
       UNION ALL SELECT owner_id FROM user_access WHERE user_id = ANY ($1) AND (expires_ms IS NULL OR expires_ms > $2)
     ) every ORDER BY owner_id LIMIT $3`,
    [userIds, nowMs, MAX_ACCOUNTS_OF_PEOPLE],
    'accounts-of-people',
  );
  return rows.map((row) => row.owner_id);
}

/**
 * Reads the accounts that a person has access to now, those where the person stands highest first
 * (docs/reference/people-and-security.md#standing).
 */
export async function accountsOf(on: Queryable, userId: string, nowMs: number): Promise<PersonAccount[]> {
  const { rows } = await on.query<PersonAccount>(
    `SELECT o.owner_id AS "ownerId", o.account_name AS "accountName", o.slug, o.status, a.standing
     FROM (
       SELECT DISTINCT ON (owner_id) owner_id, standing,
         array_position(ARRAY['OWNER', 'ADMINISTRATOR', 'MANAGER', 'USER'], standing) AS rank
       FROM (
         SELECT owner_id, standing FROM standings WHERE user_id = $1
         UNION ALL
         SELECT owner_id, 'USER' FROM user_access WHERE user_id = $1 AND (expires_ms IS NULL OR expires_ms > $2)
       ) every
       ORDER BY owner_id, rank
     ) a JOIN owners o USING (owner_id)
     ORDER BY a.rank, lower(o.account_name), o.owner_id LIMIT $3`,
    [userId, nowMs, MAX_ACCOUNTS],
    'accounts-of',
  );
  return rows;
}

/** Reads the standing of a person in one account; undefined = no access. */
export async function standingIn(
  on: Queryable,
  userId: string,
  ownerId: string,
  nowMs: number,
): Promise<{ hasStanding: boolean; status: string; accountType: string } | undefined> {
  const { rows } = await on.query<{ hasStanding: boolean; status: string; accountType: string }>(
    `SELECT s.has AS "hasStanding", o.status, o.account_type AS "accountType"
     FROM owners o, LATERAL (SELECT EXISTS (SELECT FROM standings t WHERE t.owner_id = o.owner_id AND t.user_id = $1) AS has) s
     WHERE o.owner_id = $2 AND (s.has OR EXISTS (SELECT FROM user_access a
       WHERE a.owner_id = o.owner_id AND a.user_id = $1 AND (a.expires_ms IS NULL OR a.expires_ms > $3)))`,
    [userId, ownerId, nowMs],
    'standing-in',
  );
  return rows[0];
}
