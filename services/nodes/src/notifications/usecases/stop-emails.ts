import { notFound } from '@catchment/errors';
import { appendOutbox } from '@catchment/pg';
import { nodeEvent, type StoreDeps } from '../../changes/index.ts';
import type { UnsubscribeLinks } from '../domain/unsubscribe-links.ts';
import { switchOffEmail } from '../store/pg-preferences.ts';

export type StopDeps = Pick<StoreDeps, 'database' | 'now'> & { readonly unsubscribeLinks: UnsubscribeLinks };

/**
 * Switches the e-mails of a category off, as the link of one of them asks for (docs/reference/notifications.md#stopping-e-mails).
 * @throws DomainError not_found: the link is none of ours
 */
export async function stopEmails({ database, now, unsubscribeLinks }: StopDeps, token: string): Promise<void> {
  const asked = unsubscribeLinks.read(token);
  if (!asked) throw notFound();
  await database.transaction(async (tx) => {
    const stopped = await switchOffEmail(tx, asked);
    if (!stopped) return;
    const { ownerId, email } = stopped;
    const node = { nodeId: asked.workspaceId, ownerId, workspaceId: asked.workspaceId, class: 'Workspace' };
    const text = `Changed notification preferences of ${email}`;
    await appendOutbox(tx, [nodeEvent(node, text, { timeMs: now(), username: email })]);
  });
}
