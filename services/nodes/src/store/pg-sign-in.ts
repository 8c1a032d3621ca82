import type { Queryable } from '@catchment/pg';
import type { GivenProfile } from '../domain/user-entry.ts';

/** A person as mails need one. */
export type MailPerson = {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  /** False while the profile waits for its activation. */
  readonly isActive: boolean;
};

const MAIL_PERSON = `user_id AS "userId", email, first_name AS "firstName", activated_at IS NOT NULL AS "isActive"`;

export async function mailPeople(on: Queryable, userIds: readonly string[]): Promise<MailPerson[]> {
  const { rows } = await on.query<MailPerson>(
    `SELECT ${MAIL_PERSON} FROM users WHERE user_id = ANY($1) ORDER BY email`,
    [userIds],
    'mail-people',
  );
  return rows;
}

export async function personByEmail(on: Queryable, email: string): Promise<MailPerson | undefined> {
  const { rows } = await on.query<MailPerson>(`SELECT ${MAIL_PERSON} FROM users WHERE email = $1`, [email]);
  return rows[0];
}

/** @returns undefined when nobody can sign in with the e-mail; `hash` in the PHC text form */
export async function passwordOf(
  on: Queryable,
  email: string,
): Promise<{ userId: string; email: string; hash: string } | undefined> {
  const { rows } = await on.query<{ userId: string; email: string; hash: string }>(
    `SELECT user_id AS "userId", email, password_hash AS hash FROM users WHERE email = $1 AND password_hash IS NOT NULL`,
    [email],
    'password-of',
  );
  return rows[0];
}

/** Sets a password; the first one activates the profile. */
export async function savePassword(tx: Queryable, userId: string, hash: string, nowMs: number): Promise<void> {
  await tx.query(
    `UPDATE users SET password_hash = $2, activated_at = coalesce(activated_at, to_timestamp($3 / 1000.0)) WHERE user_id = $1`,
    [userId, hash, nowMs],
  );
}

export async function noteSignIn(tx: Queryable, userId: string, nowMs: number): Promise<void> {
  await tx.query('UPDATE users SET last_login_at = to_timestamp($2 / 1000.0) WHERE user_id = $1', [userId, nowMs]);
}

export async function saveProfile(tx: Queryable, userId: string, profile: GivenProfile): Promise<void> {
  const { firstName, lastName, phone, timezone, timezoneAdjustForDst, timeFormat } = profile;
  await tx.query(
    `UPDATE users SET first_name = $2, last_name = $3, phone = $4, timezone = $5, timezone_adjust_for_dst = $6, time_format = $7
     WHERE user_id = $1`,
    [userId, firstName, lastName, phone, timezone, timezoneAdjustForDst, timeFormat],
  );
}

export type StoredPerson = GivenProfile & { readonly email: string; readonly lastLoginMs: number | null };

export async function readPerson(on: Queryable, userId: string): Promise<StoredPerson | undefined> {
  const { rows } = await on.query<StoredPerson>(
    `SELECT email, first_name AS "firstName", last_name AS "lastName", phone, timezone,
       timezone_adjust_for_dst AS "timezoneAdjustForDst", time_format AS "timeFormat",
       floor(extract(epoch FROM last_login_at) * 1000)::bigint AS "lastLoginMs"
     FROM users WHERE user_id = $1`,
    [userId],
    'read-person',
  );
  return rows[0];
}

/** An account that a person has access to. */
export type PersonAccount = {
  readonly ownerId: string;
  readonly accountName: string;
  readonly slug: string;
  readonly standing: 'OWNER' | 'ADMINISTRATOR' | 'MANAGER' | 'USER';
  readonly status: string;
};

const MAX_ACCOUNTS = 500;

/** The accounts that a person has access to now, those where the person stands highest first (semantics 11.2). */
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

/** How a person stands in one account; undefined = no access. */
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
