import { invalid } from '@catchment/errors';
import { onOneLine } from '@catchment/ids';
import { parseJsonBody } from '@catchment/json-body';
import { EVENT_MESSAGE_MAX, EVENTS_MAX } from '@catchment/query';
import { parseTimeValueMs } from '@catchment/time';

/** Callers say this of an event that they make. */
export type NewEvent = { readonly message: string; readonly timeMs: number };

/**
 * The body of `POST /nodes/:id/events` (docs/reference/events.md#queries).
 * @throws DomainError invalid_argument for the first entry that is wrong
 */
export function parseNewEvents(body: Uint8Array, arrivalMs: number): NewEvent[] {
  const entries = parseJsonBody(body);
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > EVENTS_MAX)
    throw badBody('body', `must be an array of 1 to ${EVENTS_MAX} events`);
  return entries.map((entry, n) => newEvent(entry, `[${n}]`, arrivalMs));
}

function newEvent(entry: unknown, at: string, arrivalMs: number): NewEvent {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw badBody(at, 'must be an object');
  const { message, eventTime } = entry as { message?: unknown; eventTime?: unknown };
  const text = typeof message === 'string' ? onOneLine(message).trim() : '';
  if (text === '' || [...text].length > EVENT_MESSAGE_MAX)
    throw badBody(`${at}.message`, `must be a text of 1 to ${EVENT_MESSAGE_MAX} characters`);
  const timeMs = eventTime === undefined || eventTime === null ? arrivalMs : parseTimeValueMs(eventTime);
  if (timeMs === undefined)
    throw badBody(`${at}.eventTime`, 'must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z');
  return { message: text, timeMs };
}

const badBody = (at: string, rule: string) => invalid('INVALID_BODY', `${at}: ${rule}`);
