import { once } from 'node:events';
import { connect } from 'node:net';
import type { FeedPart } from '@catchment/contracts/feed';
import { DomainError, invalid, unavailable } from '@catchment/errors';
import { openEventStream, until } from '@catchment/testkit';
import { ACCOUNT, type Behaviour, KEYS, openGateway } from './fixture.ts';

const EVENTS = '/api/v1/events/stream';
const openStream = (
  port: number,
  path: string,
  { key = KEYS.modify as string, headers = {} as Record<string, string> } = {},
) => openEventStream(`http://127.0.0.1:${port}${path}`, { 'x-api-key': key, ...headers });

/** Stands for the log of an events service: messages by position, and watchers that hear of new ones. */
function fakeLog() {
  const log: string[] = [];
  let news = Promise.withResolvers<void>();
  const behaviour: Partial<Behaviour> = {
    readFeed: async (_kind, { cursor }): Promise<FeedPart> => {
      const after = cursor === '' ? log.length : Number(cursor);
      const messages = log.slice(after, after + 3).map((text, n) => ({
        event: '',
        data: Buffer.from(JSON.stringify({ text })),
        cursor: String(after + n + 1),
        subject: '',
        isGone: false,
      }));
      const end = after + messages.length;
      return { messages, cursor: String(end), hasMore: end < log.length };
    },
    async *watch({ signal }) {
      yield [];
      while (!signal.aborted) {
        await news.promise;
        yield [ACCOUNT.ownerId];
      }
    },
  };
  return {
    behaviour,
    write: (...texts: string[]) => {
      log.push(...texts);
      news.resolve();
      news = Promise.withResolvers();
    },
  };
}

const texts = (messages: readonly { data: unknown }[]) => messages.map(({ data }) => (data as { text: string }).text);

test('a stream: its headers, an id to go on from at once, and each event with its own', async () => {
  const { behaviour, write } = fakeLog();
  write('old');
  await using gateway = await openGateway({ behaviour });
  const stream = await openStream(gateway.port, EVENTS, { headers: { 'accept-encoding': 'gzip' } });
  expect(stream.response.statusCode).toBe(200);
  expect(stream.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': expect.any(String),
  });
  expect(stream.response.headers).not.toHaveProperty('content-encoding');
  await until(() => stream.state.lastId === '1' && stream.state.retryMs === 1_000);
  write('a', 'b', 'c', 'd', 'e');
  await stream.get(5);
  expect(stream.messages).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((text, n) => ({ event: '', id: String(n + 2), data: { text } })),
  );
});

test('Last-Event-ID is where it goes on, before the argument of that name; filter and attr are handed on', async () => {
  const { behaviour, write } = fakeLog();
  write('a', 'b', 'c');
  await using gateway = await openGateway({ behaviour });
  const first = await openStream(gateway.port, `${EVENTS}?lastEventId=1&filter=f&attr=g&sort=h`);
  expect(texts(await first.get(2))).toEqual(['b', 'c']);
  const second = await openStream(gateway.port, `${EVENTS}?lastEventId=0`, { headers: { 'last-event-id': '2' } });
  expect(texts(await second.get(1))).toEqual(['c']);
  const asked = gateway.calls.filter(({ rpc }) => rpc === 'readFeed').map(({ request }) => request);
  expect(asked[0]).toEqual({ arguments: { filter: 'f', attr: 'g' }, cursor: '1' });
});

test('clients that see and ask the same share one read', async () => {
  const { behaviour, write } = fakeLog();
  await using gateway = await openGateway({ behaviour });
  const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(gateway.port, EVENTS)));
  await until(() => streams.every(({ state }) => state.lastId === '0'));
  // The reads that every stream begins with are over.
  await until(async () => {
    const before = gateway.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 150));
    return gateway.calls.length === before;
  });
  const before = gateway.calls.filter(({ rpc }) => rpc === 'readFeed').length;
  write('a');
  for (const stream of streams) expect(texts(await stream.get(1))).toEqual(['a']);
  expect(gateway.calls.filter(({ rpc }) => rpc === 'readFeed').length - before).toBeLessThanOrEqual(2);
});

test('what is wrong is answered before a stream begins', async () => {
  const refused = { message: 'filter: must be good', reason: 'INVALID_FILTER' };
  await using gateway = await openGateway({
    behaviour: {
      readFeed: async () => {
        throw invalid('INVALID_FILTER', 'filter: must be good');
      },
    },
  });
  for (const path of [EVENTS, '/api/v1/nodes/stream']) {
    const answer = await gateway.ask(path);
    expect([answer.status, answer.json()]).toEqual([400, { error: { code: 400, ...refused } }]);
    expect((await gateway.ask(path, { key: undefined })).status).toBe(401);
    expect((await gateway.ask(path, { method: 'PUT' })).status).toBe(405);
  }
  gateway.behaviour.readFeed = async () => {
    throw unavailable('PEER_UNAVAILABLE');
  };
  expect((await gateway.ask(EVENTS)).status).toBe(503);
});

test('HEAD has the headers of a stream and no stream', async () => {
  await using gateway = await openGateway();
  const answer = await gateway.ask(EVENTS, { method: 'HEAD' });
  expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    '',
  ]);
});

test.each([
  ['is revoked', 'UNAUTHENTICATED', new DomainError('unauthenticated', 'KEY_UNKNOWN', 'Unauthorized'), {}],
  ['is of an account that was disabled', 'ACCOUNT_DISABLED', undefined, { accountStatus: 'DISABLED' }],
  [
    'is of a person who has lost the account',
    'NOT_PERMITTED',
    new DomainError('permission_denied', 'NOT_PERMITTED', 'No'),
    {},
  ],
])('the streams of a key that %s end, and nothing more is sent', async (_what, reason, error, change) => {
  const { behaviour, write } = fakeLog();
  await using gateway = await openGateway({ behaviour });
  const [idle, busy] = [await openStream(gateway.port, EVENTS), await openStream(gateway.port, `${EVENTS}?attr=text`)];
  write('a');
  await Promise.all([idle.get(1), busy.get(1)]);
  gateway.behaviour.authenticate = async () => {
    if (error) throw error;
    return { ...ACCOUNT, ...change };
  };
  await Promise.all([idle.ended(), busy.ended()]);
  write('b');
  for (const { messages } of [idle, busy]) {
    expect(messages.map(({ event }) => event)).toEqual(['', 'end']);
    expect(messages[1]?.data).toMatchObject({ reason });
  }
});

test('reads have the rights of the moment', async () => {
  const { behaviour, write } = fakeLog();
  await using gateway = await openGateway({ behaviour });
  const stream = await openStream(gateway.port, EVENTS, { key: KEYS.workspaces });
  write('a');
  await stream.get(1);
  gateway.behaviour.authenticate = async () => ({ ...ACCOUNT, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: ['w'] });
  await until(() => {
    const last = gateway.calls.findLast(({ rpc }) => rpc === 'readFeed');
    const caller = last?.context.caller;
    return caller?.kind === 'api' && caller.workspaceIds?.[0] === 'w';
  });
  write('b');
  expect(texts(await stream.get(2))).toEqual(['a', 'b']);
});

test('while keys cannot be checked, or the service of the stream is away, it stays open and goes on later', async () => {
  const { behaviour, write } = fakeLog();
  await using gateway = await openGateway({ behaviour });
  const stream = await openStream(gateway.port, EVENTS);
  write('a');
  await stream.get(1);
  const { readFeed, authenticate } = gateway.behaviour;
  gateway.behaviour.readFeed = gateway.behaviour.authenticate = async () => {
    throw unavailable('DATABASE_UNAVAILABLE');
  };
  write('b', 'c');
  const before = gateway.calls.length;
  await until(() => gateway.calls.length > before + 1);
  gateway.behaviour.authenticate = authenticate;
  gateway.behaviour.readFeed = readFeed;
  expect(texts(await stream.get(3))).toEqual(['a', 'b', 'c']);
});

test('news that came while nobody heard of news are read when the watch begins again', async () => {
  const { behaviour, write } = fakeLog();
  const broken = Promise.withResolvers<void>();
  let watches = 0;
  await using gateway = await openGateway({
    behaviour: {
      ...behaviour,
      async *watch() {
        watches += 1;
        if (watches === 2) await broken.promise;
        yield [];
        if (watches > 1) await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
      },
    },
  });
  const stream = await openStream(gateway.port, EVENTS);
  await until(() => watches === 2);
  write('a');
  broken.resolve();
  expect(texts(await stream.get(1))).toEqual(['a']);
});

test('of a client that reads nothing no more is held than fits its connection and a part', async () => {
  let parts = 0;
  await using gateway = await openGateway({
    behaviour: {
      readFeed: async (_kind, { cursor }) => {
        const place = Number(cursor || 0) + 1;
        parts = Math.max(parts, place);
        const message = { event: '', data: Buffer.from(JSON.stringify('x'.repeat(256 * 1024))), cursor: String(place) };
        return { messages: [{ ...message, subject: '', isGone: false }], cursor: String(place), hasMore: true };
      },
    },
  });
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write(`GET ${EVENTS}?lastEventId=0 HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${KEYS.modify}\r\n\r\n`);
  await once(socket, 'readable');
  // Nobody reads: the stream comes to rest, and goes on when somebody does.
  let before = -1;
  await until(
    async () => {
      const isResting = parts > 1 && parts === before;
      before = parts;
      return isResting;
    },
    { everyMs: 300 },
  );
  expect(parts).toBeLessThan(200);
  socket.resume();
  await until(() => parts > before + 10);
  socket.destroy();
});

test('the session of a browser opens a stream without a token against forgery, as any GET', async () => {
  const { behaviour, write } = fakeLog();
  const session = 's'.repeat(43);
  await using gateway = await openGateway({ behaviour: { ...behaviour, people: async () => ACCOUNT } });
  const stream = await openEventStream(`http://127.0.0.1:${gateway.port}${EVENTS}`, {
    cookie: `catchment_session=${session}`,
  });
  expect(stream.response.statusCode).toBe(200);
  write('a');
  await stream.get(1);
  gateway.behaviour.people = async () => {
    throw new DomainError('unauthenticated', 'SESSION_ENDED', 'Unauthorized: authentication failed');
  };
  await stream.ended();
  expect(stream.messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'UNAUTHENTICATED' } });
});

test('streams of a key and of the process are limited, and slots are released', async () => {
  await using gateway = await openGateway({ env: { STREAMS_MAX: '5', STREAMS_PER_KEY: '2' } });
  const streams = [await openStream(gateway.port, EVENTS), await openStream(gateway.port, '/api/v1/nodes/stream')];
  const third = await gateway.ask(EVENTS);
  expect([third.status, third.headers['retry-after'], third.json()]).toMatchObject([
    429,
    '30',
    { error: { reason: 'TOO_MANY_STREAMS' } },
  ]);
  streams[0]?.leave();
  await until(async () => {
    const again = await openStream(gateway.port, EVENTS);
    return again.response.statusCode === 200;
  });
  // Another key of the account, which has at most half of all places.
  const other = { key: KEYS.readOnly };
  expect((await openStream(gateway.port, EVENTS, other)).response.statusCode).toBe(200);
  expect((await openStream(gateway.port, EVENTS, other)).response.statusCode).toBe(429);
  const theirs = async (name: string) => ({ ...ACCOUNT, ownerId: name.repeat(24), keyId: name.repeat(12) });
  for (const [name, status] of [
    ['1', 200],
    ['2', 200],
    ['3', 503],
  ] as const) {
    gateway.behaviour.authenticate = () => theirs(name);
    expect((await openStream(gateway.port, EVENTS, { key: name.repeat(40) })).response.statusCode).toBe(status);
  }
});

test('a process that stops ends its streams with what to do, and those that come meanwhile', async () => {
  const { behaviour, write } = fakeLog();
  await using gateway = await openGateway({ behaviour });
  const stream = await openStream(gateway.port, EVENTS);
  write('a');
  await stream.get(1);
  gateway.push.close();
  await stream.ended();
  const late = await openStream(gateway.port, EVENTS, { headers: { 'last-event-id': '1' } });
  await late.ended();
  for (const { messages, state } of [stream, late]) {
    expect(messages.at(-1)).toMatchObject({ event: 'end', data: { reason: 'STOPPING' } });
    expect(state.lastId).toBe('1');
    expect(state.retryMs).toBeGreaterThanOrEqual(1_000);
  }
});

test('nodes are followed by the revisions of accounts that have streams', async () => {
  let revision = 1;
  const received: string[] = [];
  await using gateway = await openGateway({
    behaviour: {
      revisions: (ownerIds) => Object.fromEntries(ownerIds.map((ownerId) => [ownerId, String(revision)])),
      readFeed: async (kind, { cursor }) => {
        received.push(kind);
        const isNew = cursor !== '' && cursor !== String(revision);
        const message = { event: 'node', data: Buffer.from('{"_id":"n"}'), cursor: String(revision) };
        const messages = isNew ? [{ ...message, subject: 'n', isGone: false }] : [];
        return { messages, cursor: String(revision), hasMore: false };
      },
    },
  });
  const stream = await openStream(gateway.port, '/api/v1/nodes/stream');
  await until(() => stream.state.lastId === '1');
  revision = 2;
  expect(await stream.get(1)).toEqual([{ event: 'node', id: '2', data: { _id: 'n' } }]);
  expect(new Set(received)).toEqual(new Set(['nodes']));
});
