import type { LineSource } from './records.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;
const WIDTH = 1_000;
const SOURCE: LineSource = { nodeId: 'a'.repeat(24), expectedIntervalSeconds: null, oldestMs: 0, newestMs: 2 * YEAR };
const WINDOW = { start: YEAR / 2, end: (3 * YEAR) / 2 };
const COLUMN = YEAR / WIDTH;

let asked: URLSearchParams[];
/** The station has records at these times. */
let station: readonly number[];
let readLine: typeof import('./records.ts').readLine;

beforeAll(async () => {
  const start = { account: { id: 'b'.repeat(24), slug: 'north1' }, csrf: 'token' };
  vi.stubGlobal('location', { origin: 'http://catchment.test' });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(start) }) });
  vi.stubGlobal('fetch', async (request: Request) => {
    const query = new URL(request.url).searchParams;
    asked.push(query);
    const [from, to] = [query.get('startTime') ?? 0, query.get('endTime') ?? 9e12].map((time) =>
      new Date(time).getTime(),
    );
    const inside = station.filter((ms) => ms >= from! && ms <= to!);
    const limit = Number(query.get('limit') ?? 0);
    const some = limit === 0 ? inside : query.has('startTime') ? inside.slice(0, limit) : inside.slice(-limit);
    const data = some.map((ms) => ({ ts: new Date(ms).toISOString(), f: { 0: { v: 1 } } }));
    return new Response(JSON.stringify({ data }), { headers: { 'content-type': 'application/json' } });
  });
  ({ readLine } = await import('./records.ts'));
});
beforeEach(() => {
  asked = [];
});
afterAll(() => vi.unstubAllGlobals());

const every = (ms: number, from = 0, to = 2 * YEAR) =>
  Array.from({ length: Math.floor((to - from) / ms) + 1 }, (_, n) => from + n * ms);
const read = (source = SOURCE, window = WINDOW) =>
  readLine(source, window, WIDTH, undefined, new AbortController().signal);

test('a year of a station that records each hour is one request: its edges and its interval could not be seen', async () => {
  station = every(HOUR);
  const { times, gapMs } = await read();
  expect(asked).toHaveLength(1);
  expect(asked[0]!.get('reduce')).toBe('M4');
  expect([times[0], times.at(-1), gapMs]).toEqual([WINDOW.start, WINDOW.end, COLUMN]);
});

test('an outage within the year is judged by the interval of the last records', async () => {
  station = every(HOUR).filter((ms) => ms < YEAR || ms > YEAR + 3 * COLUMN);
  expect((await read()).gapMs).toBe(COLUMN);
  expect(asked).toHaveLength(2);
  expect(asked[1]!.get('limit')).toBe('101');
  asked = [];
  station = every(24 * HOUR);
  expect((await read()).gapMs).toBe(3 * 24 * HOUR);
});

test('a line reaches the edges of a window from records that lie far beyond them', async () => {
  station = [WINDOW.start - 5 * COLUMN, YEAR, WINDOW.end + 5 * COLUMN];
  const { times, gapMs } = await read();
  expect(times).toEqual(station);
  // These are too few records to have an interval: they are joined.
  expect(gapMs).toBeNull();
});

test('a week is asked for with its edges at once', async () => {
  station = every(HOUR);
  const end = YEAR + 7 * 24 * HOUR + 1;
  const { times } = await read(SOURCE, { start: YEAR + 1, end });
  expect(asked).toHaveLength(4);
  expect([times[0], times.at(-1)]).toEqual([YEAR, YEAR + 7 * 24 * HOUR + HOUR]);
});
