import type { Alarm } from './alarms.ts';

let held: readonly Alarm[];
let asked: URLSearchParams[];
let alarms: typeof import('./alarms.ts');

const alarm = (n: number, alarmState: Alarm['alarmState'] = 'ACTIVE'): Alarm => ({
  nodeId: String(n),
  path: `north1/Place ${n}`,
  alarmType: 'stateAlarm',
  alarmState,
  activeTime: new Date(1_000_000 - n).toISOString(),
});
const many = (count: number, state?: (n: number) => Alarm['alarmState']) =>
  Array.from({ length: count }, (_, n) => alarm(n, state?.(n)));

beforeEach(async () => {
  asked = [];
  const start = { account: { id: 'b'.repeat(24), slug: 'north1' }, csrf: 'token' };
  vi.stubGlobal('location', { origin: 'http://catchment.test' });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(start) }) });
  vi.stubGlobal('fetch', async (request: Request) => {
    const query = new URL(request.url).searchParams;
    asked.push(query);
    const [from, limit, state] = [Number(query.get('after') ?? 0), Number(query.get('limit')), query.get('state')];
    const all = held.filter(({ alarmState }) => state === null || alarmState === state);
    const next = from + limit < all.length ? String(from + limit) : null;
    return new Response(JSON.stringify({ alarms: all.slice(from, from + limit), next }), {
      headers: { 'content-type': 'application/json' },
    });
  });
  alarms = await import('./alarms.ts');
  alarms.raised.value = { kind: 'loading' };
});
afterEach(() => vi.unstubAllGlobals());

test('the first alarms are shown while others are on their way; what holds of a part is not said of all', async () => {
  held = many(250);
  const seen: unknown[] = [];
  alarms.raised.subscribe((value) => {
    seen.push(
      value.kind === 'ready'
        ? [value.alarms.length, value.isGrowing ?? false, alarms.alarmCount.peek()?.active]
        : value.kind,
    );
  });
  await alarms.rereadAlarms();
  expect(seen).toEqual(['loading', [100, true, undefined], [250, false, 250]]);
});

test('of more alarms than are held those come first that nobody has acknowledged, however old they are', async () => {
  // The oldest ten are active.
  held = many(6_000, (n) => (n < 5_990 ? 'ACKNOWLEDGED' : 'ACTIVE'));
  await alarms.rereadAlarms();
  const value = alarms.raised.peek();
  if (value.kind !== 'ready') throw new Error(value.kind);
  expect([value.alarms.length, value.hasMore]).toEqual([5_000, true]);
  expect(alarms.alarmCount.peek()).toEqual({ active: 10, acknowledged: 4_990, hasMore: false });
  const times = value.alarms.map(({ activeTime }) => Date.parse(activeTime!));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('a reading that breaks off is no answer: it says so', async () => {
  held = many(250);
  const whole = fetch;
  vi.stubGlobal('fetch', async (request: Request) =>
    asked.length === 0
      ? whole(request)
      : new Response(JSON.stringify({ error: { code: 400, reason: 'NO', message: 'no' } }), { status: 400 }),
  );
  await alarms.rereadAlarms();
  expect(alarms.raised.peek().kind).toBe('failed');
});
