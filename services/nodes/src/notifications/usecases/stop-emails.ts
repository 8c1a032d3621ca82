import { notFound } from '@catchment/errors';
import { appendOutbox, type Queryable } from '@catchment/pg';
import { nodeEvent, type StoreDeps } from '../../changes/index.ts';
import type { CategoryUnsubscription, ReportUnsubscription, UnsubscribeLinks } from '../domain/unsubscribe-links.ts';
import { switchOffEmail } from '../store/pg-preferences.ts';
import { stopReport } from '../store/pg-subscriptions.ts';

export type StopDeps = Pick<StoreDeps, 'database' | 'now'> & { readonly unsubscribeLinks: UnsubscribeLinks };

/**
 * Switches off the e-mails of a category, or those with a report, as the link of one of them asks for
 * (docs/reference/notifications.md#stopping-e-mails).
 * @throws DomainError not_found: the link is none of ours
 */
export async function stopEmails({ database, now, unsubscribeLinks }: StopDeps, token: string): Promise<void> {
  const asked = unsubscribeLinks.read(token);
  if (!asked) throw notFound();
  await database.transaction(async (tx) => {
    const event = 'reportId' in asked ? await reportStopped(tx, asked) : await categoryStopped(tx, asked);
    if (!event) return;
    const { node, text, username } = event;
    await appendOutbox(tx, [nodeEvent(node, text, { timeMs: now(), username })]);
  });
}

async function categoryStopped(tx: Queryable, asked: CategoryUnsubscription) {
  const stopped = await switchOffEmail(tx, asked);
  if (!stopped) return undefined;
  const { ownerId, email } = stopped;
  const node = { nodeId: asked.workspaceId, ownerId, workspaceId: asked.workspaceId, class: 'Workspace' };
  return { node, text: `Changed notification preferences of ${email}`, username: email };
}

async function reportStopped(tx: Queryable, asked: ReportUnsubscription) {
  const stopped = await stopReport(tx, asked);
  if (!stopped) return undefined;
  const { email, ...node } = stopped;
  return {
    node: { ...node, nodeId: asked.reportId },
    text: `Unsubscribed ${email} from notifications`,
    username: email,
  };
}
