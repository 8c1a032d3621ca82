import { lockOwner } from '../../changes/index.ts';
import { nodesById, removeBranches } from '../../nodes/index.ts';
import { forEachIndependently } from '../../usecases/for-each-independently.ts';
import { oldAttachments } from '../store/old-attachments-query.ts';
import type { FileDeps } from './file-store.ts';

/** A pass takes this many attachments; the next pass takes more. */
const AT_ONCE = 500;

/**
 * Removes what attachment sources keep no longer (`removeAfterDays`, docs/reference/node-tree.md#attributes-of-classes). Any
 * replica may do it, at any time.
 */
export async function removeOldAttachments({ database, now }: Pick<FileDeps, 'database' | 'now'>): Promise<void> {
  const cause = { timeMs: now(), username: 'System' };
  const byOwner = Map.groupBy(await oldAttachments(database, cause.timeMs, AT_ONCE), ({ ownerId }) => ownerId);
  await forEachIndependently(byOwner, 'old attachments could not be removed', ([ownerId, old]) => {
    const ids = old.map(({ nodeId }) => nodeId);
    return database.transaction(async (tx) => {
      await lockOwner(tx, ownerId);
      await removeBranches(tx, ownerId, await nodesById(tx, ownerId, ids), cause);
    });
  });
}
