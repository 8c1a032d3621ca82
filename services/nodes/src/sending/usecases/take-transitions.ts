import { appendOutbox, type Queryable } from '@catchment/pg';
import type { AlarmType } from '@catchment/query';
import type { NotifyMode } from '@catchment/states';
import type { StoreDeps } from '../../changes/index.ts';
import { alarmConfig } from '../../domain/classes/alarm-config.ts';
import { type StoredNode, statesOf } from '../../domain/classes/node.ts';
import { CHANNELS, type Configured } from '../domain/channel-name.ts';
import { type DueNotification, dueByStates, dueOf } from '../domain/due-notifications.ts';
import { type AlarmEvent, NO_STATE, type Transition, transitionOf } from '../domain/transition.ts';
import { isReached, recipientsOf } from '../store/recipients-query.ts';
import { watchedNodes } from '../store/watched-nodes-query.ts';
import type { Counts, SentNotes } from './ports.ts';
import { type Delivery, queueDeliveries } from './queue-deliveries.ts';
import { sentEvents } from './sent-event.ts';

/** Somebody may hear of this transition, which makes something due. */
type Due = {
  readonly event: AlarmEvent;
  readonly node: StoredNode;
  readonly transition: Transition;
  readonly notifications: readonly DueNotification[];
};

/** One person gets this message about a transition. */
type DueDelivery = Delivery & { readonly of: Due };

/**
 * Asks for the notifications of transitions (docs/reference/notifications.md#when-a-notification-is-due), once for each event: what is
 * to be sent, what is counted and the event about it are one transaction.
 */
export async function takeTransitions(
  store: SentNotes & Counts,
  { database, now, configured }: Pick<StoreDeps, 'database' | 'now'> & { readonly configured: Configured },
  events: readonly (AlarmEvent & { readonly ownerId: string })[],
): Promise<void> {
  // The same event may be twice in a batch.
  const about = [...new Map(events.map((event) => [event.eventId, event])).values()].filter(
    ({ transition }) => transition,
  );
  if (about.length === 0) return;
  const nodes = await watchedNodes(database, [...new Set(about.map(({ nodeId }) => nodeId))]);
  const due = about.flatMap((event) => {
    const node = nodes.get(event.nodeId);
    return node?.ownerId === event.ownerId ? dueBy(event, node) : [];
  });
  if (due.length === 0) return;
  await database.transaction(async (tx) => {
    const nowMs = now();
    const fresh = await store.takeEvents(
      tx,
      due.map(({ event }) => event.eventId),
      nowMs,
    );
    const wanted = await deliveriesOf(
      tx,
      due.filter(({ event }) => fresh.has(event.eventId)),
      nowMs,
    );
    const sendable = wanted.filter(({ channel }) => configured[channel]);
    const sent = await queueDeliveries(store, tx, sendable, nowMs);
    const announced = [...new Set(wanted.map((delivery) => delivery.of))];
    await appendOutbox(
      tx,
      announced.flatMap((transition) => {
        const [sentNow, all] = [sent, wanted].map((some) => some.filter((delivery) => delivery.of === transition));
        const deliveries = { wanted: all ?? [], sent: sentNow ?? [], configured };
        return sentEvents(transition.node, deliveries, { timeMs: nowMs, username: 'System' }, transition.event.message);
      }),
    );
  });
}

function dueBy(event: AlarmEvent, node: StoredNode): Due[] {
  const { statesType, states } = statesOf(node.config);
  const transition = event.transition && transitionOf(event.transition, states);
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

async function deliveriesOf(tx: Queryable, due: readonly Due[], nowMs: number): Promise<DueDelivery[]> {
  const subjects = due.flatMap(({ node: { nodeId }, notifications }) =>
    notifications.map(({ categoryId }) => ({ nodeId, categoryId })),
  );
  const recipients = Map.groupBy(
    await recipientsOf(tx, subjects, nowMs),
    ({ nodeId, categoryId }) => `${nodeId} ${categoryId}`,
  );
  return due.flatMap((of) =>
    of.notifications.flatMap((notification, index) =>
      (recipients.get(`${of.node.nodeId} ${notification.categoryId}`) ?? []).flatMap((to) =>
        CHANNELS.filter((channel) => isReached(to, channel)).map((channel) => ({
          channel,
          to,
          of,
          about: `${of.event.eventId}.${index}`,
          due: dueMessage(of, notification),
        })),
      ),
    ),
  );
}

const dueMessage = ({ event, node, transition }: Due, { categoryId, message }: DueNotification): Delivery['due'] => ({
  ownerId: node.ownerId,
  nodeId: node.nodeId,
  categoryId,
  customText: message,
  eventText: event.message,
  stateName: isStateEvent(event, transition) ? (transition.to?.name ?? NO_STATE) : '',
  timeMs: event.timeMs,
  record: event.transition?.record,
  ...(transition.kind === 'alarm' && transition.isRaised && { raisedAlarmType: transition.alarmType }),
});

/** Settings that were changed raise and clear the alarm of a state that the series has not entered: the event says it. */
const isStateEvent = (
  { eventType }: AlarmEvent,
  transition: Transition,
): transition is Extract<Transition, { kind: 'state' }> => transition.kind === 'state' && eventType === 'STATE';
