import { randomUUID } from 'node:crypto';
import type { Queryable } from '@catchment/pg';

/** A mail is written and sent once the transaction that queues it is committed. */
export type QueuedMail = {
  readonly recipient: string;
  /** The mail gets the text of this template. */
  readonly template: string;
  /** The text states these facts, as JSON. None is a secret: the queue is a table. */
  readonly facts: Readonly<Record<string, unknown>>;
};

/** Such a mail has been taken out of the queue for an attempt. */
export type DueMail = QueuedMail & { readonly mailId: string; readonly attempt: number };

/** Adds mails to the running transaction: they are sent exactly if it commits. The schema needs the table `mails` (README). */
export async function appendMails(tx: Queryable, mails: readonly QueuedMail[], nowMs: number): Promise<void> {
  if (mails.length === 0) return;
  await tx.query(
    `INSERT INTO mails (mail_id, recipient, template, facts, created_ms, due_ms)
     SELECT mail_id, recipient, template, facts::jsonb, $5, $5
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS m(mail_id, recipient, template, facts, n)
     ORDER BY n`,
    [
      mails.map(() => randomUUID()),
      mails.map(({ recipient }) => recipient),
      mails.map(({ template }) => template),
      mails.map(({ facts }) => JSON.stringify(facts)),
      nowMs,
    ],
    'append-mails',
  );
}

/**
 * Takes mails that are due, the oldest first, and counts the attempt. Nobody else takes them before `leaseMs` have passed:
 * a replica that dies with a mail in hand leaves it for another.
 */
export async function takeDue(on: Queryable, nowMs: number, leaseMs: number, limit: number): Promise<DueMail[]> {
  const { rows } = await on.query<DueMail & { seq: number }>(
    `UPDATE mails SET attempts = attempts + 1, due_ms = $1 + $2 WHERE mail_id IN (
       SELECT mail_id FROM mails WHERE due_ms <= $1 AND failed_ms IS NULL ORDER BY due_ms, seq LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING mail_id AS "mailId", recipient, template, facts, attempts AS attempt, seq`,
    [nowMs, leaseMs, limit],
    'take-due-mails',
  );
  return rows.toSorted((a, b) => a.seq - b.seq);
}

/** The mail was sent, or is needed no more. */
export async function removeMail(on: Queryable, { mailId, attempt }: DueMail): Promise<void> {
  await on.query('DELETE FROM mails WHERE mail_id = $1 AND attempts = $2', [mailId, attempt], 'remove-mail');
}

export async function retryMail(
  on: Queryable,
  { mailId, attempt }: DueMail,
  dueMs: number,
  why: string,
): Promise<void> {
  await on.query(
    'UPDATE mails SET due_ms = $3, last_error = $4 WHERE mail_id = $1 AND attempts = $2',
    [mailId, attempt, dueMs, why],
    'retry-mail',
  );
}

/** Given up; the row stays for whoever looks for the reason. */
export async function failMail(on: Queryable, { mailId, attempt }: DueMail, nowMs: number, why: string): Promise<void> {
  await on.query(
    'UPDATE mails SET failed_ms = $3, last_error = $4 WHERE mail_id = $1 AND attempts = $2',
    [mailId, attempt, nowMs, why],
    'fail-mail',
  );
}

/** Forgets failed mails older than a time. */
export async function forgetFailed(on: Queryable, beforeMs: number): Promise<void> {
  await on.query('DELETE FROM mails WHERE failed_ms < $1', [beforeMs], 'forget-failed-mails');
}
