import type { OutboxMessage } from '@catchment/pg';
import { eventRecorded } from '../../changes/index.ts';
import type { StoredNode } from '../../domain/classes/node.ts';

/** A line of the event log about a scheduled report (docs/reference/events.md#standard-messages). */
export const reportEvent = (
  { nodeId, ownerId, workspaceId, class: nodeClass }: Pick<StoredNode, 'nodeId' | 'ownerId' | 'workspaceId' | 'class'>,
  level: 'DEBUG' | 'WARNING' | 'ERROR',
  message: string,
  timeMs: number,
): OutboxMessage =>
  eventRecorded(ownerId, {
    nodeId,
    workspaceId,
    nodeClass,
    level,
    message,
    timeMs,
    eventType: 'NOTIFICATION',
    username: 'System',
  });
