import { hash } from 'node:crypto';
import { appendOutbox, type Queryable } from '@catchment/pg';
import { accountEvent } from '../../changes/index.ts';
import { accountsOfPeople } from '../store/sign-in-query.ts';
import type { AttemptCounts } from './ports.ts';

const HOUR_MS = 3_600_000;
/** A person gets this many entries of one kind an hour: repeated attempts and sign-ins cannot fill an event log. */
const LINES_AN_HOUR = 20;
const MORE = ' (no further ones are listed for up to an hour)';

const TEXTS = {
  'signed in': 'Signed in',
  'signed in by link': 'Signed in with a link and a new password',
  'signed out': 'Signed out',
  failed: 'Sign-in failed: wrong password',
} as const;

/**
 * Writes a line in the event log of each account that people belong to (docs/reference/events.md#fields). This takes as many
 * statements when there are none, so that the time of a refused sign-in does not reveal whether there is such a person.
 */
export async function recordSignIn(
  { countAttempt }: AttemptCounts,
  tx: Queryable,
  what: keyof typeof TEXTS,
  { email, userIds }: { email: string; userIds: readonly string[] },
  nowMs: number,
): Promise<void> {
  const key = hash('sha256', JSON.stringify(['sign-in event', what, email]), 'buffer');
  const { count } = await countAttempt(tx, key, nowMs, HOUR_MS);
  const ownerIds = await accountsOfPeople(tx, count > LINES_AN_HOUR ? [] : userIds, nowMs);
  const message = TEXTS[what] + (count === LINES_AN_HOUR ? MORE : '');
  const cause = { timeMs: nowMs, username: email };
  await appendOutbox(
    tx,
    ownerIds.map((ownerId) => accountEvent(ownerId, 'SECURITY', message, cause)),
  );
}
