import type { LogEvent } from './event-filter.ts';

export const EVENT_PAGE = 200;

/** A list goes on here: up to an instant, of which this many events are known. Nothing that is recorded meanwhile moves it. */
export type EventPlace = { readonly endTime: string; readonly skip: number };

/**
 * Reads the page after those that are known. It begins with a known event; where it does not, others were recorded or removed at that very
 * instant meanwhile, and the instant is read anew.
 */
export async function listOlder(
  known: readonly LogEvent[],
  read: (place: EventPlace) => Promise<readonly LogEvent[]>,
): Promise<readonly LogEvent[]> {
  const endTime = known.at(-1)!.eventTime;
  const ids = new Set(known.filter((event) => event.eventTime === endTime).map(({ _id }) => _id));
  const page = await read({ endTime, skip: ids.size - 1 });
  if (page[0] && ids.has(page[0]._id)) return page;
  for (let skip = 0; ; skip += EVENT_PAGE) {
    const again = await read({ endTime, skip });
    if (again.length < EVENT_PAGE || again.some(({ _id }) => !ids.has(_id))) return again;
  }
}
