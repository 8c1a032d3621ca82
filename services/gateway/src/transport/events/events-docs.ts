import { EVENT_MESSAGE_MAX, EVENTS_MAX, EVENT_LIST as query } from '@catchment/query';
import { ACCEPTED, json, operation, wholeOrPart } from '../openapi/parts.ts';

const tag = 'Events';
const success = json(200, 'The events, oldest first unless sorted otherwise.', {
  type: 'array',
  items: wholeOrPart('Event'),
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

export const createEvents = operation({
  id: 'createEvents',
  tag,
  summary: 'Create events of a node',
  description: 'All of them or none; each of level INFO and type CONFIGURATION.',
  withId: true,
  body: {
    type: 'array',
    minItems: 1,
    maxItems: EVENTS_MAX,
    items: {
      type: 'object',
      required: ['message'],
      properties: {
        message: { type: 'string', minLength: 1, maxLength: EVENT_MESSAGE_MAX },
        eventTime: { type: 'string', format: 'date-time', description: 'Default: the time of the request.' },
      },
    },
    examples: [[{ message: 'Sensor cleaned', eventTime: '2024-08-16T09:30:00Z' }]],
  },
  success: ACCEPTED,
});

export const clearEvents = operation({
  id: 'clearEvents',
  tag,
  summary: 'Delete all events of a node',
  description: 'One event is left, `Cleared events`.',
  withId: true,
  success: ACCEPTED,
});
