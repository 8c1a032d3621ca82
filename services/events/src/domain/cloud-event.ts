import { formatIsoMs } from '@catchment/time';

/** Webhooks and topics carry this CloudEvents 1.0 event (docs/reference/events.md#cloudevents). */
export type CloudEvent = {
  readonly specversion: '1.0';
  /** Unique within its source: a receiver knows by it what it has had already. */
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly time: string;
  /** Events of the account have no node. */
  readonly subject?: string;
  readonly datacontenttype: 'application/json';
  readonly data: Record<string, unknown>;
};

/** @param of.nodeId absent or empty for what is about the account; `timeMs` Unix ms */
export function cloudEvent(of: {
  readonly id: string;
  readonly ownerId: string;
  readonly type: string;
  readonly timeMs: number;
  readonly nodeId?: string;
  readonly data: Record<string, unknown>;
}): CloudEvent {
  const { id, ownerId, type, timeMs, nodeId = '', data } = of;
  return {
    specversion: '1.0',
    id,
    source: `/owners/${ownerId}`,
    type,
    time: formatIsoMs(timeMs),
    ...(nodeId !== '' && { subject: `/nodes/${nodeId}` }),
    datacontenttype: 'application/json',
    data,
  };
}
