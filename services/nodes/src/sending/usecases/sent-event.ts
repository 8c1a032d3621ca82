import { countOf } from '@catchment/number-format';
import type { OutboxMessage } from '@catchment/pg';
import { type Cause, eventRecorded } from '../../changes/index.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { CHANNEL_LABELS, CHANNELS, type Configured, NOT_CONFIGURED } from '../domain/channel-name.ts';
import type { Delivery } from './queue-deliveries.ts';

/** Counts the people to whom messages go by a channel. */
export const usersBy = (sent: readonly Delivery[], channel: Delivery['channel']): number =>
  new Set(sent.filter((delivery) => delivery.channel === channel).map(({ to }) => to.userId)).size;

/**
 * Says that people were notified, and by which channels they were not, because nothing is configured to send with
 * (docs/reference/events.md#standard-messages).
 * @param wanted by all channels. @param sent what was handed over to them
 */
export function sentEvents(
  { nodeId, ownerId, workspaceId, class: nodeClass }: StoredNode,
  { wanted, sent, configured }: { wanted: readonly Delivery[]; sent: readonly Delivery[]; configured: Configured },
  cause: Cause,
  text: string,
): OutboxMessage[] {
  const about = { nodeId, workspaceId, nodeClass, eventType: 'NOTIFICATION', ...cause } as const;
  const missing = CHANNELS.filter((channel) => !configured[channel] && usersBy(wanted, channel) > 0);
  const isHandedOver = missing.length === 0 || wanted.some(({ channel }) => configured[channel]);
  const message = `Notification sent to ${users(sent, 'email')} by email, ${usersBy(sent, 'sms')} by SMS: ${text}`;
  return [
    ...(isHandedOver ? [eventRecorded(ownerId, { ...about, level: 'INFO', message })] : []),
    ...missing.map((channel) => {
      const why = `Notification not sent to ${users(wanted, channel)} by ${CHANNEL_LABELS[channel]}: ${NOT_CONFIGURED[channel]}`;
      return eventRecorded(ownerId, { ...about, level: 'WARNING', message: why });
    }),
  ];
}

function users(deliveries: readonly Delivery[], channel: Delivery['channel']): string {
  return countOf(usersBy(deliveries, channel), 'user');
}
