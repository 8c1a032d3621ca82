import { ATTR, FILTER, json, operation, SKIP, SORT, text, whole } from './parts.ts';

const tag = 'Events';
const query = [
  text('startTime', 'First event time, inclusive.', { example: '2024-08-16T00:00:00Z' }),
  text('endTime', 'Last event time, inclusive.', { example: '2024-08-17T00:00:00Z' }),
  ATTR,
  FILTER,
  SORT,
  whole('limit', 'At most this many; default 10000 with both bounds, otherwise 1000.', { minimum: 1, maximum: 10_000 }),
  SKIP,
];
const success = json(200, 'The events, oldest first unless sorted otherwise.', {
  type: 'array',
  items: { $ref: 'Event#' },
});

export const listEvents = operation({ id: 'listEvents', tag, summary: 'List events of the account', query, success });
export const listNodeEvents = operation({
  id: 'listNodeEvents',
  tag,
  summary: 'List events of a node',
  withId: true,
  query,
  success,
});
