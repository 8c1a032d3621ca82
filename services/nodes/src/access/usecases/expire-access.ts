import { type AccountChange, changeAccountOf, nodeEvent } from '../../changes/index.ts';
import type { PeopleDeps } from '../../people/index.ts';
import { dropLostAccess } from '../../rights/index.ts';
import { forEachIndependently } from '../../usecases/for-each-independently.ts';
import { ownersWithEnded } from '../store/entries-query.ts';
import type { EntryStore } from './ports.ts';

const OWNERS_AT_ONCE = 100;
const ENTRIES_AT_ONCE = 500;

/**
 * Removes access that has ended, with all that rests on it, and says so
 * (docs/reference/people-and-security.md#granting-and-revoking-access); access itself ended at its time. Any replica may do
 * it, at any time: what one has removed another does not find.
 * @returns how many entries have been removed; more may be left when it is `ENTRIES_AT_ONCE` of one account
 */
export async function expireAccess(
  entries: Pick<EntryStore, 'takeEnded'>,
  deps: Pick<PeopleDeps, 'database' | 'now'>,
): Promise<number> {
  let removed = 0;
  const ownerIds = await ownersWithEnded(deps.database, deps.now(), OWNERS_AT_ONCE);
  await forEachIndependently(ownerIds, 'access that has ended could not be removed', async (ownerId) => {
    removed += await changeAccountOf(deps, ownerId, 'System', (change) => expireIn(entries, change));
  });
  return removed;
}

async function expireIn({ takeEnded }: Pick<EntryStore, 'takeEnded'>, change: AccountChange): Promise<number> {
  const { tx, owner, nowMs, cause, send } = change;
  const ended = await takeEnded(tx, owner.owner_id, nowMs, ENTRIES_AT_ONCE);
  send(
    ended.map(({ workspaceId, email, group }) =>
      nodeEvent(
        { nodeId: workspaceId, ownerId: owner.owner_id, workspaceId, class: 'Workspace' },
        `Access of ${email ?? `group '${group}'`} expired`,
        cause,
        'SECURITY',
      ),
    ),
  );
  if (ended.length > 0) await dropLostAccess(change.tx, [change.owner.owner_id], change.cause);
  return ended.length;
}
