import { createHash } from 'node:crypto';
import { DomainError } from '@catchment/errors';

/** Something must have one of these revisions to be changed. */
export type RevisionMatch = { readonly revisions: readonly number[] };

/** Digits of SHA-256 that make a number which `If-Match` and JSON carry whole: below 2^48. */
const HEX_DIGITS = 12;

/**
 * Returns the revision of settings that have no counter of their own: another number with other settings, the same one with the same
 * (docs/reference/requests-and-errors.md#changes-by-revision).
 * @param settings JSON that is written the same each time: without times, and without what others than its own changes bring about
 */
export function revisionOf(settings: unknown): number {
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('hex');
  return Number.parseInt(digest.slice(0, HEX_DIGITS), 16);
}

/**
 * Checks that a change is meant for something as it is now. It is asked under the lock of the account, after the caller's rights and before
 * what the change gives.
 * @param what for the message @param wanted undefined = any
 * @throws DomainError changed, with the present revision
 */
export function checkRevision(what: string, revision: number, wanted: RevisionMatch | undefined): void {
  if (wanted === undefined || wanted.revisions.includes(revision)) return;
  const message = `If-Match: the ${what} has changed, its revision is ${revision} now`;
  throw new DomainError('changed', 'REVISION_CHANGED', message, { revision });
}
