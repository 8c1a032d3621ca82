import type { StoreDeps } from '../../changes/index.ts';
import { trialRemovalMs } from '../domain/trial.ts';
import { endedTrials, trialsToRemove } from '../store/trials-query.ts';
import { deleteAccount, updateAccount } from './administer-account.ts';
import type { AccountBook, Trials } from './ports.ts';

/** Accounts in one pass; the next pass takes more. */
const AT_ONCE = 100;

/**
 * Disables accounts whose trial has ended, and deletes them three months later
 * (docs/reference/accounts-and-usage.md#account). Any replica may do it, at any time; an interrupted pass is completed by the next.
 */
export async function expireTrials(store: AccountBook & Trials, deps: StoreDeps): Promise<void> {
  const failures: unknown[] = [];
  // One account's trouble keeps no other going.
  const each = async (ownerIds: readonly string[], work: (ownerId: string) => Promise<unknown>) => {
    for (const ownerId of ownerIds) await work(ownerId).catch((error: unknown) => failures.push(error));
  };
  const nowMs = deps.now();
  await each(await endedTrials(deps.database, nowMs, AT_ONCE), async (ownerId) => {
    await updateAccount(store, deps, { account: ownerId, status: 'DISABLED' });
    await store.setRemoval(deps.database, ownerId, nowMs, trialRemovalMs(nowMs));
  });
  await each(await trialsToRemove(deps.database, nowMs, AT_ONCE), (ownerId) => deleteAccount(store, deps, ownerId));
  if (failures.length > 0) throw new AggregateError(failures, 'trials that have ended could not be dealt with');
}
