import { invalid } from '@catchment/errors';
import { readEventQuery } from '../domain/event-query.ts';
import { scopeOfCall } from './list-events.ts';
import type { EventsCall, EventsDeps, RecordedEvent } from './ports.ts';

/** Events of one part. */
const PART_EVENTS = 200;
/** One part looks at this many events of the account, so that a filter that takes few of them costs no more than others. */
const LOOKED_AT = 5_000;
const POSITION = /^\d{1,15}$/;

/**
 * The next events of a stream; `cursor` names the place after all that was looked at. Readers that have come to the end are at the same
 * place, whatever other accounts record.
 */
type EventFeedPart = {
  readonly events: readonly RecordedEvent[];
  readonly cursor: string;
  readonly hasMore: boolean;
};

/**
 * Reads the next events that the caller may see and the filter takes, in the order of recording
 * (docs/reference/events.md#streams).
 * @param given.cursor of the event after which to begin; empty = with what is recorded from now on
 * @throws DomainError invalid_argument for a wrong filter and for a cursor that the log has not given
 */
export async function readFeed(
  deps: EventsDeps,
  call: EventsCall,
  given: { readonly arguments: Readonly<Record<string, string>>; readonly cursor: string },
): Promise<EventFeedPart> {
  const { filter = '', attr = '' } = given.arguments;
  const query = readEventQuery({ filter, attr }, deps.now());
  const list = deps.events.list(query);
  if (given.cursor !== '' && !POSITION.test(given.cursor)) throw unknownCursor();
  const after = given.cursor === '' ? undefined : Number(given.cursor);
  const { newest, highest, endOfWindow } = await deps.events.placesAfter(call.caller.ownerId, after, LOOKED_AT);
  if (after === undefined) return { events: [], cursor: String(newest), hasMore: false };
  if (after > highest) throw unknownCursor();
  const scope = await scopeOfCall(deps, call, list);
  // The newest event may have been deleted since: places only grow.
  const upTo = Math.max(after, endOfWindow ?? newest);
  const events = await list.recordedAfter(scope, after, PART_EVENTS, upTo);
  const isFull = events.length === PART_EVENTS;
  const place = isFull ? (events.at(-1)?.position ?? upTo) : upTo;
  return { events, cursor: String(place), hasMore: isFull || endOfWindow !== undefined };
}

const unknownCursor = () => invalid('INVALID_CURSOR', 'Last-Event-ID: must be the id of a message of this stream');
