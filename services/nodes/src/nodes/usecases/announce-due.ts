import { changeAccountOf, type StoreDeps } from '../../changes/index.ts';
import { accountToAnnounce, takeAnnouncements } from '../store/pg-due-announcements.ts';
import { renewRevisions } from '../store/pg-nodes.ts';
import { announceConfigs } from './announce.ts';
import type { NodeDeps } from './deps.ts';

const BATCH = 500;

/**
 * Announces nodes about which an upgrade has more to say to other services, and sources that other Locations follow
 * now; people see nothing of it.
 */
export async function announceDue(deps: StoreDeps & Pick<NodeDeps, 'names'>): Promise<void> {
  for (;;) {
    const ownerId = await accountToAnnounce(deps.database);
    if (ownerId === undefined) return;
    await changeAccountOf(deps, ownerId, 'System', async ({ tx, cause }) =>
      announceConfigs(tx, deps, await takeAnnouncements(tx, ownerId, BATCH), cause, renewRevisions),
    );
  }
}
