import { gzipSync } from 'node:zlib';
import { invalid } from '@catchment/errors';
import type { ApiCaller } from '@catchment/grpc';
import type { Database } from '@catchment/pg';
import type { CallersWrite } from '../clients/historic-client.ts';
import type { FileSource } from '../domain/source-file.ts';
import { FileReceiver } from './receive-file.ts';

type Document = { data: { ts: string; f: Record<string, { v: unknown } | null> }[] };

const CALLER: ApiCaller = {
  kind: 'api',
  ownerId: 'a'.repeat(24),
  userId: 'b'.repeat(24),
  username: 'jo@example.org',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
};

function receiver(over: Partial<FileSource> = {}) {
  const writes: CallersWrite[] = [];
  const events: unknown[] = [];
  const gate = { failure: undefined as Error | undefined, wait: Promise.resolve() };
  const source: FileSource = {
    _id: 'c'.repeat(24),
    _class: 'io.svc.models.node.source.data.TextParser',
    ownerId: CALLER.ownerId,
    workspaceId: 'd'.repeat(24),
    ...over,
  };
  const files = new FileReceiver({
    nodes: { document: async () => source },
    write: async (write) => {
      await gate.wait;
      if (gate.failure) throw gate.failure;
      writes.push(write);
    },
    database: {
      transaction: async (work: (tx: unknown) => Promise<unknown>) =>
        work({ query: async (sql: string) => events.push(...(sql.startsWith('INSERT INTO outbox') ? [sql] : [])) }),
    } as unknown as Database,
    namespace: 'io.svc',
    now: () => Date.parse('2026-11-21T12:00:00Z'),
  });
  const send = (body: string | Buffer, fileName = 'a.csv', caller: ApiCaller = CALLER) =>
    files.receive(
      { nodeRef: source._id, body: Buffer.from(body), fileName },
      {
        caller,
        token: 't',
        deadlineMs: Number.POSITIVE_INFINITY,
        signal: new AbortController().signal,
        log: console as never,
      },
    );
  const dataOf = (n: number) => (writes[n]?.document as Document | undefined)?.data ?? [];
  return { writes, events, gate, send, dataOf };
}

const start = Date.parse('2024-01-01T00:00:00Z');
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `${new Date(start + (from + n) * 1000).toISOString()},${from + n}\n`).join(
    '',
  );

test('records go to the log in the order of the file, in parts of bounded size, as the caller', async () => {
  const { writes, send, dataOf } = receiver();
  const answer = await send(`t,Level\n${lines(5000)}`);
  expect(answer).toEqual({
    lines: 5000,
    parsed: 5000,
    records: 5000,
    series: 1,
    unreadableFields: 0,
    firstFailure: '',
  });
  expect(writes.map(({ writeMode, origin }) => [writeMode, origin])).toEqual(
    [0, 1, 2].map(() => ['MERGE_OVERWRITE_EXISTING', 'a.csv']),
  );
  expect([0, 1, 2].flatMap((n) => dataOf(n).map(({ f }) => f[0]?.v))).toEqual(
    Array.from({ length: 5000 }, (_, n) => n),
  );
});

test('long texts make smaller parts', async () => {
  const { dataOf, writes, send } = receiver();
  const text = 'x'.repeat(9000);
  await send(`t,Note\n${Array.from({ length: 130 }, (_, n) => `2024-01-01T00:00:00.${n},${text}\n`).join('')}`);
  expect(writes.length).toBe(2);
  expect(Math.max(...writes.map((_, n) => dataOf(n).length))).toBeLessThan(120);
});

test('what replaces a range deletes that of the whole file once, however the file is sorted', async () => {
  const { writes, send, dataOf } = receiver({ writeMode: 'INSERT_DELETE_EXISTING' });
  await send(`t,Level\n${lines(2500, 2500)}${lines(2500)}`);
  expect(writes.map(({ writeMode }) => writeMode)).toEqual([
    'DELETE_RANGE',
    ...[1, 2, 3].map(() => 'MERGE_OVERWRITE_EXISTING'),
  ]);
  expect(dataOf(0)).toEqual([
    { ts: '2024-01-01T00:00:00.000Z', f: { 0: null } },
    { ts: '2024-01-01T01:23:19.000Z', f: { 0: null } },
  ]);
});

test('what replaces a range and fits into one write is one', async () => {
  const { writes, send } = receiver({ writeMode: 'INSERT_DELETE_EXISTING' });
  await send(`t,Level\n${lines(10)}`);
  expect(writes.map(({ writeMode }) => writeMode)).toEqual(['INSERT_DELETE_EXISTING']);
});

test('a packed file is unpacked', async () => {
  const { send } = receiver();
  expect(await send(gzipSync(`t,Level\n${lines(3)}`))).toMatchObject({ records: 3 });
});

test.each([
  ['bytes that begin as gzip', Buffer.from([0x1f, 0x8b, 1, 2]), 'body: begins as gzip data and is none'],
  ['an unpacked size over the limit', gzipSync(Buffer.alloc(65 * 1024 * 1024)), 'too large'],
  ['a row that never ends, after many good ones', `t,a\n${lines(3000)}2024-01-02,"open`, 'line 300'],
  [
    'more series than one write takes',
    `t,${Array.from({ length: 101 }, (_, n) => `c${n}`).join()}\n2024-01-01${',1'.repeat(101)}\n`,
    'at most 100',
  ],
  ['no line that can be read', 'TOA5,S\nTIMESTAMP,a\nTS,\n,Avg\n2024-01-01,1,2\n', 'line 5: has 3 fields'],
])('%s: refused, and nothing is written', async (_what, body, message) => {
  const { writes, events, send } = receiver();
  await expect(send(body)).rejects.toThrow(message);
  expect([writes, events]).toEqual([[], []]);
});

test('lines that fail are counted and told of', async () => {
  const { events, send } = receiver();
  const answer = await send(`t,a\n${lines(3)}later,1\n${lines(8, 4)}`);
  expect(answer).toMatchObject({
    lines: 12,
    parsed: 11,
    firstFailure: "line 5, column 1: 'later' is no time of the form that is expected",
  });
  expect(events).toHaveLength(1);
});

test('a key that may only read is refused', async () => {
  const { send } = receiver();
  await expect(send('t,a\n', 'a.csv', { ...CALLER, permission: 'READ_ONLY' })).rejects.toMatchObject({
    kind: 'permission_denied',
  });
});

test('what the log refuses is refused', async () => {
  const { gate, send } = receiver();
  gate.failure = invalid('X', 'header.columns.0: values are of another type');
  await expect(send(`t,a\n${lines(3)}`)).rejects.toThrow('values are of another type');
});

test('only a few are in work at a time', async () => {
  const { gate, send } = receiver();
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.wait = promise;
  const first = Array.from({ length: 4 }, () => send(`t,a\n${lines(3)}`));
  await expect(send(`t,a\n${lines(3)}`)).rejects.toMatchObject({ kind: 'unavailable' });
  resolve();
  expect(await Promise.all(first)).toHaveLength(4);
  expect(await send(`t,a\n${lines(3)}`)).toMatchObject({ records: 3 });
});
