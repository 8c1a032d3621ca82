import type { ApiCaller } from '@catchment/access';
import type { FeedPart } from '@catchment/contracts/feed';
import { invalid, unavailable } from '@catchment/errors';
import { CallerSigner } from '@catchment/grpc';
import { until } from '@catchment/testkit';
import type { Feed } from './feed.ts';
import type { Follower, Rights } from './followers.ts';
import { PushHub } from './push-hub.ts';

const CALLER: ApiCaller = {
  kind: 'api',
  ownerId: '6'.repeat(24),
  userId: '7'.repeat(24),
  username: 'jo@example.org',
  permission: 'READ_ONLY',
  accessLevel: 'ACCOUNT',
};
const part = (cursor: string, ...messages: { event?: string; subject?: string; isGone?: boolean }[]): FeedPart => ({
  messages: messages.map(({ event = '', subject = '', isGone = false }) => ({
    event,
    subject,
    isGone,
    cursor: '',
    data: Buffer.from(JSON.stringify({ subject })),
  })),
  cursor,
  hasMore: false,
});

/** Opens a hub whose feed gives the parts that a test puts in, by cursor. */
function openHub() {
  const clock = { nowMs: 1_000 };
  const parts = new Map<string, FeedPart | Error>();
  const reads: string[] = [];
  let wake = Promise.withResolvers<readonly string[] | 'all'>();
  const feed: Feed = {
    pauseMs: 0,
    read: async ({ cursor }) => {
      reads.push(cursor);
      const found = parts.get(cursor);
      if (found instanceof Error) throw found;
      return found ?? part(cursor);
    },
    async *watch(_accounts, signal) {
      while (!signal.aborted) yield await wake.promise;
    },
  };
  const log = { error: (fields: unknown) => expect(fields).toBeUndefined() };
  const signer = new CallerSigner('s'.repeat(32));
  // Signing takes its time; all else of a hub is done within some turns of the event loop.
  signer.sign = async () => 'token';
  const hub = new PushHub({ feed, signer, log, now: () => clock.nowMs });
  const follow = (change: Partial<Follower> = {}, caller = CALLER) => {
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
    const rights = async (): Promise<Rights> => ({ caller });
    const follower = { ownerId: caller.ownerId, keyId: 'k', arguments: {}, sink, rights, ...change };
    return Object.assign(client, hub.join(follower, caller, part('1')));
  };
  const settled = async () => {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return {
    clock,
    parts,
    reads,
    hub,
    follow,
    settled,
    async wake(changed: readonly string[] | 'all' = 'all') {
      wake.resolve(changed);
      wake = Promise.withResolvers();
      await settled();
    },
  };
}

test('a client hears a heartbeat when nothing has come for 15 s', async () => {
  const hub = openHub();
  const client = hub.follow();
  await hub.settled();
  const opening = client.text;
  hub.clock.nowMs += 14_999;
  await hub.hub.tick();
  expect(client.text).toBe(opening);
  hub.clock.nowMs += 1;
  await hub.hub.tick();
  expect(client.text).toBe(`${opening}: heartbeat\n\n`);
  await hub.hub.tick();
  expect(client.text).toBe(`${opening}: heartbeat\n\n`);
  hub.hub.close();
});

test('a heartbeat has the place in the stream where messages have not', async () => {
  const hub = openHub();
  const client = hub.follow();
  hub.parts.set('1', part('9'));
  await hub.wake();
  hub.clock.nowMs += 15_000;
  await hub.hub.tick();
  expect(client.text).toMatch(/: heartbeat\nid: 9\n\n$/);
  hub.hub.close();
});

test('a client that takes nothing gets one part, and after 30 s a last message', async () => {
  const hub = openHub();
  const [slow, quick] = [hub.follow(), hub.follow()];
  await hub.settled();
  hub.parts.set('1', part('2', { subject: 'a' }));
  slow.isBusy = true;
  await hub.wake();
  expect([slow.text.includes('"a"'), quick.text.includes('"a"')]).toEqual([false, true]);
  await hub.hub.tick();
  hub.clock.nowMs += 29_999;
  await hub.hub.tick();
  expect(slow.isEnded).toBe(false);
  hub.clock.nowMs += 1;
  await hub.hub.tick();
  expect([slow.isEnded, quick.isEnded]).toEqual([true, false]);
  expect(slow.text).toMatch(/event: end\nretry: \d+\ndata: .*CLIENT_TOO_SLOW/);
  hub.hub.close();
});

test('a client that takes what it was sent in time goes on where it was', async () => {
  const hub = openHub();
  const client = hub.follow();
  await hub.settled();
  client.isBusy = true;
  hub.parts.set('1', part('2', { subject: 'a' }));
  await hub.wake();
  await hub.hub.tick();
  hub.clock.nowMs += 20_000;
  client.isBusy = false;
  client.drained();
  await hub.settled();
  // It is busy with the next part when it is looked at again.
  client.isBusy = true;
  await hub.hub.tick();
  hub.clock.nowMs += 20_000;
  await hub.hub.tick();
  expect([client.isEnded, client.text.includes('"a"')]).toEqual([false, true]);
  hub.hub.close();
});

test('only streams of accounts with news are read', async () => {
  const hub = openHub();
  hub.follow();
  await hub.settled();
  hub.reads.length = 0;
  await hub.wake(['another']);
  expect(hub.reads).toEqual([]);
  await hub.wake([CALLER.ownerId]);
  expect(hub.reads).toEqual(['1']);
  hub.hub.close();
});

test('clients with other rights, or at another place, have reads of their own', async () => {
  const hub = openHub();
  hub.follow();
  hub.follow();
  hub.follow({ keyId: 'l' }, { ...CALLER, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [] });
  await hub.settled();
  hub.reads.length = 0;
  await hub.wake();
  expect(hub.reads).toEqual(['1', '1']);
  hub.hub.close();
});

test('what is gone is reported once, until it is there again or another client may hold it', async () => {
  const hub = openHub();
  const gone = { event: 'removed', subject: 'a', isGone: true };
  for (const [from, to] of [
    ['1', '2'],
    ['2', '3'],
  ] as const)
    hub.parts.set(from, part(to, gone));
  hub.parts.set('3', part('4', { event: 'node', subject: 'a' }));
  hub.parts.set('4', part('5', gone));
  const client = hub.follow();
  const received = () => [...client.text.matchAll(/event: (\w+)/g)].map(([, event]) => event);
  await hub.settled();
  await hub.wake();
  expect(received()).toEqual(['removed']);
  await hub.wake();
  await hub.wake();
  expect(received()).toEqual(['removed', 'node', 'removed']);
  hub.parts.set('5', part('6', gone));
  hub.follow();
  await hub.wake();
  expect(received()).toEqual(['removed', 'node', 'removed', 'removed']);
  hub.hub.close();
});

test('a read that cannot ever succeed ends the stream with its reason; others are tried again', async () => {
  const hub = openHub();
  const client = hub.follow();
  await hub.settled();
  hub.parts.set('1', unavailable('DATABASE_BUSY'));
  await hub.wake();
  expect(client.isEnded).toBe(false);
  hub.parts.set('1', invalid('INVALID_CURSOR', 'Last-Event-ID: must be another'));
  await until(() => client.isEnded);
  expect(client.text).toMatch(/event: end\nretry: \d+\ndata: \{"reason":"INVALID_CURSOR"/);
  hub.hub.close();
});

test('nothing of a read is sent to a client whose rights have changed meanwhile', async () => {
  const hub = openHub();
  const limited: ApiCaller = { ...CALLER, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [] };
  const asked: number[] = [];
  const rights = async (maxAgeMs: number): Promise<Rights> => {
    asked.push(maxAgeMs);
    return { caller: asked.length === 2 ? limited : CALLER };
  };
  hub.parts.set('1', part('2', { subject: 'a' }));
  const client = hub.follow({ rights });
  await hub.settled();
  // The read of the old rights was thrown away, and made again.
  expect(hub.reads).toEqual(['1', '1']);
  expect(client.text.match(/"a"/g)).toHaveLength(1);
  expect(Math.max(...asked)).toBeLessThan(1_000);
  hub.hub.close();
});
