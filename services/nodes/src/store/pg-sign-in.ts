import type { Queryable } from '@catchment/pg';

/** A person as mails need one. */
export type MailPerson = {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  /** False while the profile waits for its activation. */
  readonly isActive: boolean;
};

export async function mailPeople(on: Queryable, userIds: readonly string[]): Promise<MailPerson[]> {
  const { rows } = await on.query<MailPerson>(
    `SELECT user_id AS "userId", email, first_name AS "firstName", activated_at IS NOT NULL AS "isActive"
     FROM users WHERE user_id = ANY($1) ORDER BY email`,
    [userIds],
    'mail-people',
  );
  return rows;
}
