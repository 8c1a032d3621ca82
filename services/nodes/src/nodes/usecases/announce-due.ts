import { changeAccountOf, type StoreDeps } from '../../changes/index.ts';
import { accountToAnnounce } from '../store/due-announcements-query.ts';
import { announceConfigs } from './announce.ts';
import type { NodeDeps } from './deps.ts';
import type { Announcements } from './ports.ts';

const BATCH = 500;

/**
 * Announces nodes about which an upgrade has more to say to other services, and sources that other Locations follow
 * now; people see nothing of it.
 */
export async function announceDue(due: Announcements, deps: StoreDeps & Pick<NodeDeps, 'names'>): Promise<void> {
  for (;;) {
    const ownerId = await accountToAnnounce(deps.database);
    if (ownerId === undefined) return;
    await changeAccountOf(deps, ownerId, 'System', async ({ tx, cause }) =>
      announceConfigs({ tx, deps, cause }, await due.takeAnnouncements(tx, ownerId, BATCH), due.renewRevisions),
    );
  }
}
