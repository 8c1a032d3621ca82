import { choice, whole } from '../argument.ts';
import { LIST } from './lists.ts';

/** Limits the webhooks of an account, characters of a name and a URL, and events of a delivery (docs/reference/events.md#webhooks). */
export const WEBHOOK = { max: 20, nameMax: 120, urlMax: 2_048, batchMax: 100 } as const;

/** The platform has disabled a webhook for one of these reasons, which people read (docs/reference/events.md#retries). */
export const DISABLED_REASONS = {
  FAILURES: 'too many deliveries in a row have failed',
  GONE: 'the receiver has answered 410 Gone',
} as const;

export const DELIVERY_KINDS = ['EVENTS', 'TEST'] as const;
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;

/** Asks for the deliveries of a webhook, newest first. */
export const DELIVERIES = {
  skip: LIST.skip,
  limit: whole({ about: 'At most this many.' }, { min: 1, max: 1_000, absent: 100 }),
  status: choice({ about: 'Only deliveries of this status.' }, DELIVERY_STATUSES),
};
