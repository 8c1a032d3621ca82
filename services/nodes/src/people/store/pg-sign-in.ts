import type { Queryable } from '@catchment/pg';
import type { GivenProfile } from '../domain/user-entry.ts';

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
