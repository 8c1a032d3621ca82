import { type ApiCaller, checkModify } from '@catchment/access';
import { notPermitted } from '@catchment/errors';
import { appendOutbox, type OutboxMessage, type Queryable } from '@catchment/pg';
import type { Owner } from '../domain/owner.ts';
import { lockOwner, readOwner } from '../store/owners-query.ts';
import type { StoreDeps } from './deps.ts';
import { accountEvent, keyChanged } from './messages.ts';

/** A change of the account has its transaction, and the account as it was before. */
export type AccountChange = {
  readonly tx: Queryable;
  readonly owner: Owner;
  /** Unix ms. */
  readonly nowMs: number;
  readonly cause: { readonly timeMs: number; readonly username: string };
  /** Adds a line to the account's event log. */
  logEvent(eventType: 'CONFIGURATION' | 'SECURITY', message: string): void;
  /** Makes the services that cache the key forget it: it has changed or is gone. */
  invalidateKey(keySha256: Uint8Array): void;
  send(messages: readonly OutboxMessage[]): void;
};

/** @throws DomainError permission_denied unless the key is of level ACCOUNT */
export function checkAccountLevel(caller: ApiCaller): void {
  if (caller.accessLevel !== 'ACCOUNT') throw notPermitted();
}

/**
 * Runs a change of the caller's account: all of it or nothing, with its events; changes of one account come one after the other.
 * @throws DomainError permission_denied unless the key is MODIFY and ACCOUNT
 */
export function changeAccount<T>(
  deps: StoreDeps,
  caller: ApiCaller,
  work: (change: AccountChange) => Promise<T>,
): Promise<T> {
  checkModify(caller);
  checkAccountLevel(caller);
  return changeAccountOf(deps, caller.ownerId, caller.username, work);
}

/** Does the same for our own processes. */
export function changeAccountOf<T>(
  deps: Pick<StoreDeps, 'database' | 'now'>,
  ownerId: string,
  username: string,
  work: (change: AccountChange) => Promise<T>,
): Promise<T> {
  const nowMs = deps.now();
  const cause = { timeMs: nowMs, username };
  return deps.database.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const messages: OutboxMessage[] = [];
    const result = await work({
      tx,
      owner: await readOwner(tx, ownerId),
      nowMs,
      cause,
      logEvent: (eventType, message) => void messages.push(accountEvent(ownerId, eventType, message, cause)),
      invalidateKey: (keySha256) => void messages.push(keyChanged(keySha256)),
      send: (more) => void messages.push(...more),
    });
    await appendOutbox(tx, messages);
    return result;
  });
}
