import type { DashboardView } from '@catchment/dashboard-view';
import { DomainError, unavailable } from '@catchment/errors';
import { PageHub } from './page-hub.ts';
import type { PageReader } from './read-page.ts';
import type { Visit } from './visit.ts';

const OWNER = '6'.repeat(24);
const viewOf = (text: string, name = 'Page'): DashboardView => ({
  name,
  description: '',
  account: { name: 'A', logoUrl: null },
  timezone: 'Etc/UTC',
  adjustForDst: true,
  generatedTime: '',
  mapTiles: null,
  tiles: [
    {
      id: 'a',
      label: '',
      x: 0,
      y: 0,
      w: 1,
      h: 1,
      style: 'default',
      alarm: null,
      content: { type: 'STATIC_TEXT', text },
    },
    {
      id: 'b',
      label: '',
      x: 0,
      y: 1,
      w: 1,
      h: 1,
      style: 'default',
      alarm: null,
      content: { type: 'STATIC_TEXT', text: 'same' },
    },
  ],
});
const CALLER = { kind: 'api' } as Awaited<ReturnType<Visit['caller']>>;

/** Opens a hub whose pages show what a test says. */
function openHub() {
  const clock = { nowMs: 10_000 };
  const shown: { view: DashboardView | Error; reads: number } = { view: viewOf('1'), reads: 0 };
  let wake = Promise.withResolvers<readonly string[] | 'all'>();
  let watches = 0;
  const reader = {
    view: async (visit: Visit) => {
      await visit.caller();
      shown.reads += 1;
      if (shown.view instanceof Error) throw shown.view;
      return { ownerId: OWNER, nodeId: 'n', view: shown.view };
    },
  } as unknown as PageReader;
  const feed = {
    async *watch(_accounts: () => readonly string[], signal: AbortSignal) {
      watches += 1;
      const ended = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
      for (let next = await Promise.race([wake.promise, ended]); next; next = await Promise.race([wake.promise, ended]))
        yield next;
    },
  };
  const log = { error: (fields: unknown) => expect(fields).toBeUndefined() };
  const hub = new PageHub({ reader, feed, log, now: () => clock.nowMs });
  const settled = async () => {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const join = (key = 'k', caller: Visit['caller'] = async () => CALLER) => {
    const client = { text: '', isBusy: false, isEnded: false };
    const sink = {
      write: (text: Buffer) => {
        client.text += text;
      },
      get isBusy() {
        return client.isBusy;
      },
      end: (text: Buffer) => Object.assign(client, { text: client.text + text, isEnded: true }),
    };
    const visit: Visit = {
      page: { kind: 'dash', nodeRef: 'n', arguments: {}, accountSlug: '' },
      basePath: '/p',
      caller,
    };
    return Object.assign(client, hub.join(key, { visit, sink }, { ownerId: OWNER, view: viewOf('1') }));
  };
  return {
    hub,
    clock,
    shown,
    join,
    settled,
    watches: () => watches,
    async pass(ms: number) {
      clock.nowMs += ms;
      await hub.tick();
      await settled();
    },
    async wake(changed: readonly string[] | 'all') {
      wake.resolve(changed);
      wake = Promise.withResolvers();
      await settled();
    },
  };
}
const events = ({ text }: { text: string }) => [...text.matchAll(/event: (\w+)/g)].map(([, event]) => event);

test('a viewer gets the page at once, and then the tiles that show something else', async () => {
  const { hub, shown, join, pass, wake } = openHub();
  const viewer = join();
  expect(events(viewer)).toEqual(['view']);
  await pass(1_000);
  shown.view = viewOf('2');
  await pass(1_000);
  await wake([OWNER]);
  expect(events(viewer)).toEqual(['view', 'tile']);
  expect(viewer.text).toContain('"text":"2"');
  shown.view = viewOf('2', 'Renamed');
  await pass(1_000);
  await wake('all');
  expect(events(viewer)).toEqual(['view', 'tile', 'view']);
  hub.close();
});

test('viewers of a page share its reads, and accounts without news are not read', async () => {
  const { hub, shown, join, pass, wake } = openHub();
  const viewers = [join(), join(), join()];
  await pass(1_000);
  await pass(1_000);
  const before = shown.reads;
  shown.view = viewOf('2');
  await wake(['another']);
  expect(shown.reads).toBe(before);
  await wake([OWNER]);
  expect(shown.reads).toBe(before + 1);
  expect(viewers.map(events)).toEqual(Array(3).fill(['view', 'tile']));
  hub.close();
});

test('a page that changes all the time is read once in about a second', async () => {
  const { hub, shown, join, pass, wake, clock } = openHub();
  join();
  await pass(1_000);
  const before = shown.reads;
  for (let n = 0; n < 40; n += 1) {
    clock.nowMs += 100;
    await wake([OWNER]);
  }
  expect(shown.reads - before).toBeLessThanOrEqual(5);
  expect(shown.reads - before).toBeGreaterThanOrEqual(4);
  hub.close();
});

test('a page that ceases to be public ends the streams of all viewers within seconds, without any news', async () => {
  const { hub, join, pass } = openHub();
  let error: DomainError | undefined;
  const viewers = [1, 2].map(() =>
    join('k', async () => {
      if (error) throw error;
      return CALLER;
    }),
  );
  await pass(1_000);
  error = new DomainError('permission_denied', 'NOT_PUBLIC', 'Not permitted');
  await pass(3_000);
  for (const viewer of viewers) expect(viewer.text).toMatch(/event: end\nretry: \d+\ndata: \{"reason":"NOT_PUBLIC"/);
  hub.close();
});

test('a session that ends is no end for other viewers of the page', async () => {
  const { hub, shown, join, pass, wake } = openHub();
  const gone = join('k', async () => {
    throw new DomainError('unauthenticated', 'SESSION_ENDED', 'sign in');
  });
  const other = join();
  shown.view = viewOf('2');
  await pass(1_000);
  await wake([OWNER]);
  expect([gone.isEnded, other.isEnded]).toEqual([true, false]);
  expect(events(other)).toEqual(['view', 'tile']);
  hub.close();
});

test('a node that is gone ends all streams; a service that is away ends none', async () => {
  const { hub, shown, join, pass } = openHub();
  const viewers = [join(), join()];
  shown.view = unavailable('DATABASE_BUSY');
  await pass(1_000);
  expect(viewers.map(({ isEnded }) => isEnded)).toEqual([false, false]);
  shown.view = new DomainError('not_found', 'NOT_FOUND', 'Requested resource not found');
  await pass(2_000);
  expect(viewers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
  hub.close();
});

test('a viewer that is behind gets the whole page when it has taken what it was sent, and is cut off after 30 s', async () => {
  const { hub, shown, join, pass, wake } = openHub();
  const [slow, stuck] = [join(), join()];
  await pass(1_000);
  for (const viewer of [slow, stuck]) viewer.isBusy = true;
  shown.view = viewOf('2');
  await pass(1_000);
  await wake([OWNER]);
  expect(events(slow)).toEqual(['view']);
  slow.isBusy = false;
  slow.drained();
  expect(events(slow)).toEqual(['view', 'view']);
  expect(slow.text).toContain('"text":"2"');
  await pass(30_000);
  expect([slow.isEnded, stuck.isEnded]).toEqual([false, true]);
  expect(stuck.text).toContain('CLIENT_TOO_SLOW');
  hub.close();
});

test('a viewer hears a heartbeat when nothing has come for 15 s', async () => {
  const { hub, join, pass } = openHub();
  const viewer = join();
  await pass(14_000);
  expect(viewer.text).not.toContain('heartbeat');
  await pass(1_500);
  expect(viewer.text).toContain('event: heartbeat\ndata: {}\n\n');
  hub.close();
});

test('nobody is followed any more when the last viewer has left, and again when one comes', async () => {
  const { hub, shown, join, pass, settled, watches } = openHub();
  const viewer = join();
  await pass(1_000);
  viewer.leave();
  await settled();
  const { reads } = shown;
  await pass(60_000);
  expect(shown.reads).toBe(reads);
  join();
  await settled();
  expect(watches()).toBe(2);
  hub.close();
});

test('a hub that closes asks viewers to come back, also those that come late', async () => {
  const { hub, join } = openHub();
  const viewer = join();
  hub.close();
  const late = join();
  for (const client of [viewer, late]) expect(client.text).toContain('"reason":"STOPPING"');
});
