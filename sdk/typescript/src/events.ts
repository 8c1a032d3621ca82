import { type Calls, dataOf, type Schemas } from './calls.ts';
import { argumentError } from './errors.ts';
import { pagesOf } from './lists.ts';
import type { ListOptions } from './nodes.ts';
import { follow, type StreamOptions } from './streams.ts';

export type Event = Schemas['Event'];
/** ALARM are the events that raise, acknowledge or clear an alarm. */
export type EventType = 'ALARM' | 'ACQUISITION' | 'CONFIGURATION' | 'STATE' | 'NOTIFICATION' | 'CONTROL' | 'SECURITY';

export class Events {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Lists events of the past, page by page, the oldest first; the bounds are included. */
  list({
    limit,
    types,
    ...given
  }: ListOptions & { types?: readonly EventType[]; startTime?: string; endTime?: string } = {}): AsyncGenerator<
    Event,
    void,
    undefined
  > {
    const query = { ...given, ...(types && { filter: filterOf(types, given.filter) }) };
    const page = async (window: { skip: number; limit: number }) =>
      dataOf(
        await this.#calls.api.GET('/api/v1/events', { params: { query: { ...query, ...window } } }),
      ) as readonly Event[];
    return pagesOf(page, limit);
  }

  /**
   * Yields events as they happen, from now on or behind `after`, without an end; a lost connection goes on where it was. `id` of each is
   * what `after` of another call goes on behind.
   */
  async *follow({
    types,
    filter,
    ...options
  }: { types?: readonly EventType[]; filter?: string } & StreamOptions = {}): AsyncGenerator<
    { readonly event: Event; readonly id: string | undefined },
    void,
    undefined
  > {
    const query = { filter: types ? filterOf(types, filter) : filter };
    for await (const { data, id } of follow(this.#calls, '/events/stream', query, options))
      yield { event: data as Event, id };
  }
}

function filterOf(types: readonly EventType[], filter: string | undefined): string {
  if (types.length === 0) throw argumentError('types', 'must name at least one, or be left out for all');
  if (filter?.includes('|')) throw argumentError('filter', 'must be without | where types are given');
  // The alternatives of types bind less than what else is asked for.
  const rest = filter === undefined ? '' : `,${filter}`;
  return types
    .map((type) => `${type === 'ALARM' ? 'alarmState($ne:NONE)' : `eventType($eq:${type})`}${rest}`)
    .join('|');
}
