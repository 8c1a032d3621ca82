import type { OutboxMessage } from '@catchment/pg';
import { type Cause, eventRecorded } from '../../changes/index.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import type { Delivery } from './queue-deliveries.ts';

/** How many people messages go to by a channel. */
export const usersBy = (sent: readonly Delivery[], channel: Delivery['channel']): number =>
  new Set(sent.filter((one) => one.channel === channel).map(({ to }) => to.userId)).size;

/** That people were notified (docs/reference/events.md#standard-messages). @param sent to them */
export function sentEvent(
  { nodeId, ownerId, workspaceId, class: nodeClass }: StoredNode,
  sent: readonly Delivery[],
  cause: Cause,
  text: string,
): OutboxMessage {
  const message = `Notification sent to ${usersBy(sent, 'email')} users by email, ${usersBy(sent, 'sms')} by SMS: ${text}`;
  const about = { nodeId, workspaceId, nodeClass, level: 'INFO', eventType: 'NOTIFICATION' } as const;
  return eventRecorded(ownerId, { ...about, ...cause, message });
}
