import type { DashboardView, TileView } from '@catchment/dashboard-view';
import { vi } from 'vitest';
import {
  type Connection,
  followView,
  GRACE_MS,
  POLL_MS,
  SILENT_MS,
  STREAM_AGAIN_MS,
  type StreamSource,
  WATCH_MS,
} from './feed.ts';

const VIEW = { name: 'View' } as DashboardView;

class Stream {
  readyState = 0;
  readonly listeners = new Map<string, (event: Event) => void>();
  addEventListener(name: string, then: (event: Event) => void) {
    this.listeners.set(name, then);
  }
  close() {
    this.readyState = 2;
  }
  dispatch(name: string, data?: unknown) {
    this.listeners.get(name)?.({ data: JSON.stringify(data) } as MessageEvent);
  }
  breaks(forGood = false) {
    this.readyState = forGood ? 2 : 0;
    this.dispatch('error');
  }
}

function following(answer: () => Promise<DashboardView> = async () => VIEW) {
  const streams: Stream[] = [];
  const connections: Connection[] = [];
  const views: DashboardView[] = [];
  const tiles: TileView[] = [];
  let asked = 0;
  const feed = followView({
    openStream: () => {
      const stream = new Stream();
      streams.push(stream);
      return stream as unknown as StreamSource;
    },
    askView: () => {
      asked += 1;
      return answer();
    },
    onView: (view) => views.push(view),
    onTile: (tile) => tiles.push(tile),
    onConnection: (connection) => connections.push(connection),
    now: Date.now,
  });
  return { feed, streams, connections, views, tiles, asked: () => asked, last: () => connections.at(-1)! };
}
const refused = (status: number) => () => Promise.reject(Object.assign(new Error(), { status }));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

test('what the stream brings is passed on', () => {
  const { streams, connections, views, tiles } = following();
  streams[0]!.dispatch('open');
  streams[0]!.dispatch('view', VIEW);
  streams[0]!.dispatch('tile', { id: 'a' });
  expect(connections.map(({ kind }) => kind)).toEqual(['connecting', 'live']);
  expect([views, tiles]).toEqual([[VIEW], [{ id: 'a' }]]);
});

test('a short loss is not worth a word', async () => {
  const { streams, connections, asked } = following();
  streams[0]!.dispatch('open');
  streams[0]!.breaks();
  await pass(GRACE_MS - 1);
  streams[0]!.dispatch('open');
  await pass(POLL_MS * 3);
  expect(connections.map(({ kind }) => kind)).toEqual(['connecting', 'live']);
  expect(asked()).toBe(0);
});

test('a longer break is reported with the moment of its beginning, until there is an answer', async () => {
  const { streams, last } = following(() => Promise.reject(new TypeError('no network')));
  streams[0]!.dispatch('open');
  streams[0]!.breaks();
  await pass(GRACE_MS);
  expect(last()).toEqual({ kind: 'lost', sinceMs: 1_000_000 });
  await pass(POLL_MS * 5);
  expect(last()).toEqual({ kind: 'lost', sinceMs: 1_000_000 });
  streams[0]!.dispatch('open');
  expect(last()).toEqual({ kind: 'live' });
});

test('without streams, views are asked for every ten seconds, and a stream now and then', async () => {
  const { streams, last, asked, views } = following();
  streams[0]!.breaks(true);
  await pass(GRACE_MS);
  expect(last()).toEqual({ kind: 'polling' });
  await pass(POLL_MS * 2);
  expect(asked()).toBe(3);
  expect(views).toHaveLength(3);
  expect(streams).toHaveLength(1);
  await pass(STREAM_AGAIN_MS);
  expect(streams.length).toBeGreaterThan(1);
  streams.at(-1)!.dispatch('open');
  const count = asked();
  await pass(POLL_MS * 3);
  expect([last().kind, asked()]).toEqual(['live', count]);
});

test.each([
  [401, true],
  [403, false],
  [404, false],
  [410, false],
])('an answer %d ends it', async (status, isSignedOut) => {
  const { streams, last, asked } = following(refused(status));
  streams[0]!.breaks(true);
  await pass(GRACE_MS);
  expect(last()).toEqual({ kind: 'gone', isSignedOut });
  await pass(POLL_MS * 10);
  expect([asked(), streams.length]).toEqual([1, 1]);
});

test.each([429, 500, 503])('an answer %d does not', async (status) => {
  const { streams, last, asked } = following(refused(status));
  streams[0]!.breaks(true);
  await pass(GRACE_MS + POLL_MS);
  expect([last().kind, asked()]).toEqual(['lost', 2]);
});

test.each([
  ['NOT_PUBLIC', { kind: 'gone', isSignedOut: false }],
  ['SESSION_ENDED', { kind: 'gone', isSignedOut: true }],
  ['STOPPING', { kind: 'live' }],
  ['CLIENT_TOO_SLOW', { kind: 'live' }],
])('an end because of %s', (reason, expected) => {
  const { streams, last } = following();
  streams[0]!.dispatch('open');
  streams[0]!.dispatch('end', { reason, message: '' });
  expect(last()).toEqual(expected);
});

test('nothing happens after it is closed', async () => {
  const { feed, streams, connections, asked } = following();
  feed.close();
  streams[0]!.breaks(true);
  streams[0]!.dispatch('tile', {});
  await pass(POLL_MS * 10);
  expect([connections.length, asked(), streams[0]!.readyState]).toEqual([1, 0, 2]);
});

test('a stream that is silent for too long is frozen: it is said, and everything is tried again', async () => {
  const { streams, connections, last, asked } = following(refused(503));
  streams[0]!.dispatch('open');
  for (let n = 0; n < 8; n += 1) {
    await pass(15_000);
    streams[0]!.dispatch('heartbeat', {});
  }
  expect(connections.map(({ kind }) => kind)).toEqual(['connecting', 'live']);
  const heardMs = Date.now();
  await pass(SILENT_MS + WATCH_MS + 1);
  expect(last()).toEqual({ kind: 'lost', sinceMs: heardMs });
  expect([streams.length, asked()]).toEqual([2, 1]);
  expect(streams[0]!.readyState).toBe(2);
  streams[1]!.dispatch('heartbeat', {});
  expect(last()).toEqual({ kind: 'live' });
});

test('a page that has slept for a day asks at once when it wakes up, and says since when it knows nothing', async () => {
  const { feed, streams, views, last } = following();
  streams[0]!.dispatch('open');
  const heardMs = Date.now();
  vi.setSystemTime(heardMs + 86_400_000);
  feed.check();
  expect(last()).toEqual({ kind: 'lost', sinceMs: heardMs });
  await pass(0);
  expect([streams.length, views.length]).toEqual([2, 1]);
  streams[1]!.dispatch('view', VIEW);
  expect(last()).toEqual({ kind: 'live' });
});

test('without a network the page is not live; with it again it asks at once', async () => {
  const { feed, streams, last, asked } = following(refused(0));
  streams[0]!.dispatch('open');
  feed.network(false);
  expect(last()).toEqual({ kind: 'lost', sinceMs: Date.now() });
  await pass(1_000);
  feed.network(true);
  await pass(0);
  expect([streams.length, asked()]).toEqual([2, 2]);
  streams[1]!.dispatch('open');
  expect(last()).toEqual({ kind: 'live' });
  feed.close();
  feed.network(false);
  expect(last()).toEqual({ kind: 'live' });
});
