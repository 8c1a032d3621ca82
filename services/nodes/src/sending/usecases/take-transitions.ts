import { NotificationDue } from '@catchment/contracts/nodes-messages';
import { appendMails } from '@catchment/mail';
import { appendOutbox, type OutboxMessage, type Queryable } from '@catchment/pg';
import type { AlarmType } from '@catchment/query';
import type { NotifyMode } from '@catchment/states';
import { eventRecorded, type StoreDeps } from '../../changes/index.ts';
import { alarmConfig } from '../../domain/classes/alarm-config.ts';
import { type StoredNode, statesOf } from '../../domain/classes/node.ts';
import { type DueNotification, dueByStates, dueOf } from '../domain/due-notifications.ts';
import { HOURLY_LIMIT, hourOf, nextHourOf, withinLimit } from '../domain/hourly-limit.ts';
import { type AlarmEvent, isAboutTransition, NO_STATE, type Transition, transitionOf } from '../domain/transition.ts';
import { type Recipient, recipientsOf } from '../store/pg-recipients.ts';
import { countMessages, takeEvents } from '../store/pg-sent.ts';
import { watchedNodes } from '../store/pg-watched-nodes.ts';
import { HELD_BACK } from './held-back-mail.ts';

/** A transition that somebody may hear of, and what it makes due. */
type Due = {
  readonly event: AlarmEvent;
  readonly node: StoredNode;
  readonly transition: Transition;
  readonly notifications: readonly DueNotification[];
};

/** A message to one person. */
type Delivery = { readonly due: Due; readonly index: number; readonly to: Recipient };

/**
 * Asks for the notifications of transitions (docs/reference/notifications.md#when-a-notification-is-due), once for each event: what is
 * to be sent, what is counted and the event about it are one transaction.
 */
export async function takeTransitions(
  { database, now }: Pick<StoreDeps, 'database' | 'now'>,
  events: readonly (AlarmEvent & { readonly ownerId: string })[],
): Promise<void> {
  // The same event may be twice in a batch.
  const about = [...new Map(events.map((event) => [event.eventId, event])).values()].filter(isAboutTransition);
  if (about.length === 0) return;
  const nodes = await watchedNodes(database, [...new Set(about.map(({ nodeId }) => nodeId))]);
  const due = about.flatMap((event) => {
    const node = nodes.get(event.nodeId);
    return node?.ownerId === event.ownerId ? dueBy(event, node) : [];
  });
  if (due.length === 0) return;
  await database.transaction(async (tx) => {
    const nowMs = now();
    const fresh = await takeEvents(
      tx,
      due.map(({ event }) => event.eventId),
      nowMs,
    );
    const wanted = await deliveriesOf(
      tx,
      due.filter(({ event }) => fresh.has(event.eventId)),
      nowMs,
    );
    const sent = await withinHourlyLimit(tx, wanted, nowMs);
    const told = [...new Set(wanted.map(({ due: one }) => one))];
    await appendOutbox(tx, [
      ...sent.map(deliveryMessage),
      ...told.map((one) =>
        sentEvent(
          one,
          sent.filter((delivery) => delivery.due === one),
          nowMs,
        ),
      ),
    ]);
  });
}

function dueBy(event: AlarmEvent, node: StoredNode): Due[] {
  const { statesType, states } = statesOf(node.config);
  const transition = transitionOf(event, states);
  if (!transition) return [];
  const notifications =
    transition.kind === 'state'
      ? dueByStates(statesType, states, transition.from, transition.to)
      : dueOf(notifyingAlarm(node, transition.alarmType), transition.isRaised ? 'AWAY' : 'TOWARDS');
  return notifications.length > 0 ? [{ event, node, transition, notifications }] : [];
}

function notifyingAlarm({ config }: StoredNode, alarmType: AlarmType) {
  const settings = alarmConfig(alarmType, config.alarms ?? {}) ?? {};
  return {
    notify: settings.notify as NotifyMode,
    categoryId: (settings.categoryId ?? null) as string | null,
    messageAway: (settings.messageAway ?? '') as string,
    messageTowards: (settings.messageTowards ?? '') as string,
  };
}

async function deliveriesOf(tx: Queryable, due: readonly Due[], nowMs: number): Promise<Delivery[]> {
  const subjects = due.flatMap(({ node: { nodeId }, notifications }) =>
    notifications.map(({ categoryId }) => ({ nodeId, categoryId })),
  );
  const recipients = Map.groupBy(
    (await recipientsOf(tx, subjects, nowMs)).filter(({ byEmail }) => byEmail),
    ({ nodeId, categoryId }) => `${nodeId} ${categoryId}`,
  );
  return due.flatMap((one) =>
    one.notifications.flatMap(({ categoryId }, index) =>
      (recipients.get(`${one.node.nodeId} ${categoryId}`) ?? []).map((to) => ({ due: one, index, to })),
    ),
  );
}

/** Leaves out what is too much for a person in an hour; whom that happens to for the first time in it gets a mail about it. */
async function withinHourlyLimit(tx: Queryable, wanted: readonly Delivery[], nowMs: number): Promise<Delivery[]> {
  if (wanted.length === 0) return [];
  const byUser = Map.groupBy(wanted, ({ to }) => to.userId);
  const counts = new Map([...byUser].map(([userId, own]) => [userId, own.length]));
  const counted = await countMessages(tx, 'email', hourOf(nowMs), counts);
  const sent: Delivery[] = [];
  for (const [userId, own] of byUser) {
    const limit = withinLimit(HOURLY_LIMIT.email, counted.get(userId) ?? own.length, own.length);
    sent.push(...own.slice(0, limit.sent));
    const { email, firstName } = own[0]!.to;
    if (!limit.isFirst) continue;
    const facts = { firstName, limit: HOURLY_LIMIT.email, untilMs: nextHourOf(nowMs) };
    await appendMails(tx, [{ recipient: email, template: HELD_BACK, facts }], nowMs);
  }
  return sent;
}

const deliveryMessage = ({ due: { event, node, transition, notifications }, index, to }: Delivery): OutboxMessage => ({
  subject: 'notifications.email.due.v1',
  data: NotificationDue.encode({
    deliveryId: `${event.eventId}.${index}.${to.userId}`,
    ownerId: node.ownerId,
    nodeId: node.nodeId,
    userId: to.userId,
    categoryId: notifications[index]!.categoryId,
    customText: notifications[index]!.message,
    eventText: event.message,
    stateName: transition.kind === 'state' ? (transition.to?.name ?? NO_STATE) : '',
    timeMs: event.timeMs,
  }).finish(),
});

/** docs/reference/events.md#standard-messages */
function sentEvent({ event, node }: Due, sent: readonly Delivery[], timeMs: number): OutboxMessage {
  const users = new Set(sent.map(({ to }) => to.userId)).size;
  return eventRecorded(node.ownerId, {
    nodeId: node.nodeId,
    workspaceId: node.workspaceId,
    nodeClass: node.class,
    level: 'INFO',
    eventType: 'NOTIFICATION',
    timeMs,
    username: 'System',
    message: `Notification sent to ${users} users by email, 0 by SMS: ${event.message}`,
  });
}
