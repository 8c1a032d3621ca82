import type { LogEvent } from './event-filter.ts';
import { EVENT_PAGE, type EventPlace, listOlder } from './event-pages.ts';

const AT = '2026-01-01T00:00:00.000Z';
const EARLIER = '2025-12-31T23:00:00.000Z';
const eventOf = (n: number, eventTime = AT) => ({ _id: String(n).padStart(4, '0'), eventTime }) as LogEvent;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => eventOf(from + i));

/** The server sorts events so: newest first, those of one instant by their ids. */
const readOf =
  (all: readonly LogEvent[]) =>
  async ({ skip }: EventPlace) =>
    all.slice(skip, skip + EVENT_PAGE);

/** Reads all that a list comes to, page by page. */
async function readOn(first: readonly LogEvent[], all: readonly LogEvent[]): Promise<readonly string[]> {
  const held = [...first];
  for (let page: readonly LogEvent[] = first; page.length >= EVENT_PAGE; ) {
    page = await listOlder(held, readOf(all));
    const known = new Set(held.map(({ _id }) => _id));
    held.push(...page.filter(({ _id }) => !known.has(_id)));
  }
  return held.map(({ _id }) => _id).sort();
}

test('of 500 events of one instant none is left out, and what is older follows', async () => {
  const all = [...range(0, 500), eventOf(900, EARLIER)];
  expect(await readOn(all.slice(0, EVENT_PAGE), all)).toEqual(all.map(({ _id }) => _id));
});

test('an event that the stream has sent, and one that was removed meanwhile, leave nothing out', async () => {
  const all = range(0, 500);
  const streamed = all[450]!;
  const removed = all.filter((_, i) => i !== 7);
  const ids = await readOn([...all.slice(0, EVENT_PAGE), streamed], removed);
  expect(ids).toEqual(all.map(({ _id }) => _id));
});
