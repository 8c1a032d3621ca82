import { notFound } from '@catchment/errors';
import { appendOutbox, type Queryable } from '@catchment/pg';
import { nodeEvent, type StoreDeps } from '../../changes/index.ts';
import type { CategoryUnsubscription, ReportUnsubscription, UnsubscribeLinks } from '../domain/unsubscribe-links.ts';
import type { NotificationStore } from './ports.ts';

type StopStore = Pick<NotificationStore, 'switchOffEmail' | 'stopReport'>;

export type StopDeps = Pick<StoreDeps, 'database' | 'now'> & { readonly unsubscribeLinks: UnsubscribeLinks };

/**
 * Switches off the e-mails of a category, or those with a report, as the link of one of them asks for
 * (docs/reference/notifications.md#stopping-e-mails).
 * @throws DomainError not_found: the link is none of ours
 */
export async function stopEmails(
  store: StopStore,
  { database, now, unsubscribeLinks }: StopDeps,
  token: string,
): Promise<void> {
  const asked = unsubscribeLinks.read(token);
  if (!asked) throw notFound();
  await database.transaction(async (tx) => {
    const event = 'reportId' in asked ? await reportStopped(store, tx, asked) : await categoryStopped(store, tx, asked);
    if (!event) return;
    const { node, text, username } = event;
    await appendOutbox(tx, [nodeEvent(node, text, { timeMs: now(), username })]);
  });
}

async function categoryStopped(store: StopStore, tx: Queryable, asked: CategoryUnsubscription) {
  const stopped = await store.switchOffEmail(tx, asked);
  if (!stopped) return undefined;
  const { ownerId, email } = stopped;
  const node = { nodeId: asked.workspaceId, ownerId, workspaceId: asked.workspaceId, class: 'Workspace' };
  return { node, text: `Changed notification preferences of ${email}`, username: email };
}

async function reportStopped(store: StopStore, tx: Queryable, asked: ReportUnsubscription) {
  const stopped = await store.stopReport(tx, asked);
  if (!stopped) return undefined;
  const { email, ...node } = stopped;
  return {
    node: { ...node, nodeId: asked.reportId },
    text: `Unsubscribed ${email} from notifications`,
    username: email,
  };
}
