import { time, whole } from '../argument.ts';
import { LIST } from './lists.ts';

/** Events of one `POST /nodes/:id/events`, and characters of a message. */
export const EVENTS_MAX = 1_000;
export const EVENT_MESSAGE_MAX = 500;

/** Limits of webhooks: of an account, and characters of a name and a URL (docs/reference/events.md#webhooks). */
export const WEBHOOK = { max: 20, nameMax: 120, urlMax: 2_048 } as const;

/** The deliveries of a webhook. */
export const DELIVERIES = {
  skip: LIST.skip,
  limit: whole({ about: 'At most this many.' }, { min: 1, max: 1_000, absent: 100 }),
};

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
