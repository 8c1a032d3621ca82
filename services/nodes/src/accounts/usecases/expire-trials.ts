import type { StoreDeps } from '../../changes/index.ts';
import { forEachIndependently } from '../../usecases/for-each-independently.ts';
import { trialRemovalMs } from '../domain/trial.ts';
import { endedTrials, trialsToRemove } from '../store/trials-query.ts';
import { deleteAccount, updateAccount } from './administer-account.ts';
import type { AccountBook, Trials } from './ports.ts';

/** A pass takes this many accounts; the next pass takes more. */
const AT_ONCE = 100;

/**
 * Disables accounts whose trial has ended, and deletes them three months later
 * (docs/reference/accounts-and-usage.md#account). Any replica may do it, at any time; an interrupted pass is completed by the next.
 */
export async function expireTrials(store: AccountBook & Trials, deps: StoreDeps): Promise<void> {
  const nowMs = deps.now();
  const disable = async (ownerId: string) => {
    await updateAccount(store, deps, { account: ownerId, status: 'DISABLED' });
    await store.setRemoval(deps.database, ownerId, nowMs, trialRemovalMs(nowMs));
  };
  const remove = (ownerId: string) => deleteAccount(store, deps, ownerId);
  // A list is read right before it is worked off: an operator may take an account back at any time.
  const steps = [
    async () =>
      forEachIndependently(await endedTrials(deps.database, nowMs, AT_ONCE), 'accounts could not be disabled', disable),
    async () =>
      forEachIndependently(
        await trialsToRemove(deps.database, nowMs, AT_ONCE),
        'accounts could not be deleted',
        remove,
      ),
  ];
  await forEachIndependently(steps, 'trials that have ended could not be dealt with', (step) => step());
}
