import { call, nodePath } from '../requests/call.ts';
import { criteriaOf, type EventFilter, type LogEvent } from './event-filter.ts';
import { EVENT_PAGE, type EventPlace } from './event-pages.ts';

/** Lists events, newest first, from a place towards the past. */
export function listEvents(
  filter: EventFilter,
  place: EventPlace | undefined,
  signal: AbortSignal,
): Promise<readonly LogEvent[]> {
  const path = filter.nodeId === undefined ? '/events' : (`${nodePath(filter.nodeId)}/events` as const);
  const criteria = criteriaOf(filter);
  return call<readonly LogEvent[]>('GET', path, {
    query: {
      sort: 'eventTime(DESC)',
      limit: EVENT_PAGE,
      ...place,
      ...(criteria !== '' && { filter: criteria }),
    },
    signal,
  });
}
