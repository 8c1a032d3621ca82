type Loaded = typeof import('./first-requests.ts');

const START = { account: { id: 'a'.repeat(24), slug: 'north1' }, csrf: 'token' };
const HERE = 'http://catchment.test';
let asked: Request[];
let first: Loaded;

async function open(): Promise<void> {
  asked = [];
  vi.stubGlobal('location', { origin: HERE });
  vi.stubGlobal('document', {
    getElementById: () => ({ textContent: JSON.stringify(START) }),
    addEventListener: () => {},
  });
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(request);
    if (request.headers.get('accept') === 'text/event-stream')
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
    const list = { '/api/v1/nodes': [], '/api/v1/alarms': { alarms: [] } }[new URL(request.url).pathname];
    return new Response(JSON.stringify(list ?? { nodes: [] }), { headers: { 'content-type': 'application/json' } });
  });
  first = await import('./first-requests.ts');
}
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const paths = () => asked.map(({ url }) => new URL(url).pathname.replace('/api/v1', ''));
const get = (path: string, init: RequestInit = {}) => first.takeFirst(new Request(`${HERE}/api/v1${path}`, init));

test('what is asked early is what the overview asks for: nothing is asked twice', async () => {
  await open();
  first.askFirst('overview', true);
  const early = paths();
  const { followAll } = await import('./live.ts');
  const { followAlarms } = await import('./alarms.ts');
  const { followPlaces, places } = await import('./locations.ts');
  followAll();
  followAlarms();
  followPlaces();
  await vi.waitUntil(() => places.value.kind === 'ready');
  expect(early).toEqual(['/nodes/stream', '/events/stream', '/alarms', '/nodes', '/nodes/children']);
  expect(paths()).toEqual(early);
  for (const { headers } of asked)
    expect([headers.get('x-csrf-token'), headers.get('x-account')]).toEqual(['token', START.account.id]);
});

test.each([
  ['a page with the tree', 'alarms', true, ['/nodes/stream', '/events/stream', '/alarms', '/nodes/children']],
  ['a page of a phone', 'alarms', false, ['/nodes/stream', '/events/stream', '/alarms']],
])('%s asks for what it shows', async (_what, page, hasTree, expected) => {
  await open();
  first.askFirst(page, hasTree);
  expect(paths()).toEqual(expected);
});

test('an answer is taken once, whatever order the arguments have', async () => {
  await open();
  first.askFirst('overview', true);
  expect(get('/alarms?limit=99')).toBeUndefined();
  expect(await get('/nodes/children?limit=200')).toBeInstanceOf(Response);
  expect(get('/nodes/children?limit=200')).toBeUndefined();
  const list = new URLSearchParams({ limit: '5000', skip: '0', attr: first.PLACES.attr, filter: first.PLACES.filter });
  expect(await get(`/nodes?${list}`)).toBeInstanceOf(Response);
});

test('a stream that goes on where it was is a new request', async () => {
  await open();
  first.askFirst('alarms', false);
  expect(get('/events/stream', { headers: { 'last-event-id': '7' } })).toBeUndefined();
  expect(get('/events/stream', { method: 'POST' })).toBeUndefined();
  expect(await get('/events/stream')).toBeInstanceOf(Response);
});

test('an answer that nobody took for a while is old: it is asked for anew', async () => {
  vi.useFakeTimers();
  await open();
  first.askFirst('alarms', false);
  vi.advanceTimersByTime(10_001);
  expect(get('/alarms?limit=100')).toBeUndefined();
  expect(asked.find(({ url }) => url.includes('/alarms'))?.signal.aborted).toBe(true);
});

test('who takes an answer may call it off', async () => {
  await open();
  first.askFirst('alarms', false);
  const stop = new AbortController();
  await get('/events/stream', { signal: stop.signal });
  stop.abort();
  expect(asked.find(({ url }) => url.includes('/events'))?.signal.aborted).toBe(true);
});
