import { call } from './call.ts';
import { criteriaOf, type EventFilter, type LogEvent } from './event-filter.ts';

export const EVENT_PAGE = 200;

/**
 * Events up to an instant, newest first. A page goes on at the time of its last event, which comes again with all that share it: pages
 * move with nothing that is recorded meanwhile.
 */
export function listEvents(
  filter: EventFilter,
  endTime: string | undefined,
  signal: AbortSignal,
): Promise<readonly LogEvent[]> {
  const path = filter.nodeId === undefined ? '/events' : (`/nodes/${encodeURIComponent(filter.nodeId)}/events` as const);
  const criteria = criteriaOf(filter);
  return call<readonly LogEvent[]>('GET', path, {
    query: {
      sort: 'eventTime(DESC)',
      limit: EVENT_PAGE,
      ...(endTime !== undefined && { endTime }),
      ...(criteria !== '' && { filter: criteria }),
    },
    signal,
  });
}
