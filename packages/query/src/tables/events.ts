import { time, whole } from '../argument.ts';
import { LIST } from './lists.ts';

/** One `POST /nodes/:id/events` has this many events, and a message this many characters. */
export const EVENTS_MAX = 1_000;
export const EVENT_MESSAGE_MAX = 500;

/** See docs/reference/events.md#fields. */
export const EVENT_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;
export const EVENT_TYPES = ['ACQUISITION', 'CONFIGURATION', 'STATE', 'NOTIFICATION', 'CONTROL', 'SECURITY'] as const;
export const EVENT_ALARM_STATES = ['NONE', 'ACTIVE', 'ACKNOWLEDGED', 'CLEARED'] as const;

/** See docs/reference/events.md#queries. */
export const EVENT_LIST = {
  ...LIST,
  startTime: time({ about: 'First event time, inclusive.', example: '2024-08-16T00:00:00Z' }),
  endTime: time({ about: 'Last event time, inclusive.', example: '2024-08-17T00:00:00Z' }),
  limit: whole(
    { about: 'At most this many; default 10000 with both bounds, otherwise 1000.' },
    { min: 1, max: 10_000 },
  ),
};
