import { EVENT_LIST as query } from '@catchment/query';
import { json, operation } from './parts.ts';

const tag = 'Events';
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
