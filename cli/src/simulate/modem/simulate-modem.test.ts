import { until } from '@catchment/testkit';
import { documentOf, readingAt } from '../station/readings.ts';
import { MessageQueue } from './message-queue.ts';
import type { ModemCounts } from './modem-counts.ts';
import { type Message, serve, WELCOME } from './modem-server.ts';
import { simulateModem } from './simulate-modem.ts';
import type { SimulateModemOptions } from './simulated-modem.ts';

const modemAt = (port: number) => ({
  servers: [{ host: '127.0.0.1', port }] as const,
  deviceKey: '123456789012',
  secret: 's3cret-s3cret',
  intervalSeconds: 1,
});

/** Runs a modem until `done` holds. */
async function withModem(port: number, done: () => unknown, lines: string[] = []): Promise<void> {
  const stop = new AbortController();
  const running = simulateModem({ ...modemAt(port), signal: stop.signal, log: (line) => lines.push(line) });
  try {
    await until(done);
  } finally {
    stop.abort();
    await running;
  }
}

const seqs = (got: readonly Message[]) =>
  got.filter((message) => message.type === 'data').map((message) => message.seq);

test('identifies itself, confirms its configuration, reports its status and waits for each answer', async () => {
  const { port, got, server } = await serve((message, reply) => {
    if (message.type === 'ident') {
      reply(WELCOME);
      reply({ type: 'config', revision: 3, config: {} });
    }
    if (message.type === 'data') setTimeout(() => reply({ type: 'ack', seq: message.seq }), 1_200);
  });
  await withModem(port, () => seqs(got).length >= 2);
  server.close();
  expect(got[0]).toMatchObject({ type: 'ident', deviceKey: '123456789012', secret: 's3cret-s3cret' });
  expect(got).toContainEqual({ type: 'ack', revision: 3 });
  expect(got.find((message) => message.type === 'status')).toMatchObject({ signal: expect.any(Number) });
  expect(seqs(got).slice(0, 2)).toEqual([1, 2]);
});

test('sends again after a lost ack, in the same session, and what was refused no more', async () => {
  let dataMessages = 0;
  const lines: string[] = [];
  const { port, got, server } = await serve((message, reply, socket) => {
    if (message.type === 'ident') reply(WELCOME);
    if (message.type !== 'data') return;
    dataMessages += 1;
    if (dataMessages === 1) socket.destroy();
    else reply({ type: message.seq === 1 ? 'nack' : 'ack', seq: message.seq, message: 'no' });
  });
  await withModem(port, () => seqs(got).includes(2), lines);
  server.close();
  expect(seqs(got).slice(0, 3)).toEqual([1, 1, 2]);
  expect(new Set(got.filter((message) => message.type === 'ident').map((message) => message.session)).size).toBe(1);
  expect(lines).toContain('report 1 refused: no');
});

test('waits as long as the server is busy, then sends the same message', async () => {
  const at: number[] = [];
  const { port, got, server } = await serve((message, reply) => {
    if (message.type === 'ident') reply(WELCOME);
    if (message.type !== 'data') return;
    at.push(Date.now());
    reply(at.length === 1 ? { type: 'busy', seq: 1, retryAfterSeconds: 1 } : { type: 'ack', seq: message.seq });
  });
  await withModem(port, () => at.length >= 2);
  server.close();
  expect(seqs(got).slice(0, 2)).toEqual([1, 1]);
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(990);
});

test('the queue keeps the newest messages in order', () => {
  const queue = new MessageQueue(2);
  for (let i = 0; i < 3; i += 1) queue.add(documentOf([readingAt(i, 1)]));
  expect([queue.size, queue.lost, queue.oldest?.seq]).toEqual([2, 1, 2]);
  expect([queue.settle(2), queue.settle(2)]).toEqual([true, false]);
  queue.settleUpTo(10);
  expect(queue.oldest).toBeUndefined();
});

test('readings are smooth and the same for the same seed', () => {
  const at = Date.UTC(2026, 0, 1);
  expect(readingAt(at, 7)).toEqual(readingAt(at, 7));
  expect(readingAt(at, 7)).not.toEqual(readingAt(at, 8));
  for (let i = 0; i < 8_640; i += 1) {
    const [reading, next] = [readingAt(at + i * 10_000, 7), readingAt(at + (i + 1) * 10_000, 7)];
    expect(Math.abs(reading.level - next.level)).toBeLessThan(0.02);
    expect(Math.abs(reading.temperature - next.temperature)).toBeLessThan(0.2);
  }
  expect(Object.keys((documentOf([readingAt(at, 1)]).header as { columns: object }).columns)).toEqual(['0', '1', '2']);
});

/** Starts a server that takes every message once, in order. @param over answers in its place where it says so */
async function keeping(over: (message: Message) => boolean = () => false) {
  const kept = new Map<unknown, { data: { ts: string }[] }>();
  let acked = 0;
  const { port, got, server } = await serve((message, reply) => {
    if (message.type === 'ident') reply({ ...WELCOME, ackedSeq: acked });
    if (message.type !== 'data' || over(message)) return;
    acked = Math.max(acked, Number(message.seq));
    kept.set(message.seq, message.jts as { data: { ts: string }[] });
    reply({ type: 'ack', seq: message.seq });
  });
  const simulate = async (more: Partial<SimulateModemOptions>): Promise<ModemCounts> => {
    // A separate clock runs: every look at it is a second later, so that no report waits.
    let nowMs = Date.UTC(2026, 0, 1);
    const now = () => (nowMs += 1_000);
    const signal = new AbortController().signal;
    return simulateModem({ ...modemAt(port), signal, log: () => {}, now, ...more }).finally(() => server.close());
  };
  return { kept, got, simulate };
}

test('a modem ends when so many reports are acknowledged', async () => {
  const { kept, simulate } = await keeping();
  const counts = await simulate({ messages: 20 });
  expect(counts).toMatchObject({ sent: 20, acknowledged: 20, waiting: 0, repeated: 0, connected: 0, reconnects: 0 });
  expect(kept.size).toBe(20);
});

test.each([
  ['the connection is cut after a message', { drop: 100 }, 'reconnects'],
  ['messages are sent twice', { duplicate: 100 }, 'repeated'],
  ['a message is cut in the middle', { partial: 60 }, 'reconnects'],
  ['acknowledgements are not read', { silence: 100 }, 'reconnects'],
] as const)('nothing is lost when %s', async (_what, faults, counted) => {
  const { kept, simulate } = await keeping();
  const counts = await simulate({ messages: 3, faults, seed: 1 });
  expect(counts).toMatchObject({ sent: 3, acknowledged: 3, refused: 0, waiting: 0 });
  expect(counts[counted]).toBeGreaterThan(0);
  expect([...kept.keys()]).toEqual([1, 2, 3]);
});

test('a clock that jumps is wrong by up to a day', async () => {
  const { kept, simulate } = await keeping();
  await simulate({ messages: 60, faults: { clockJump: 50 } });
  const days = [...kept.values()].map(({ data }) => data[0]?.ts.slice(0, 10));
  expect(new Set(days).size).toBeGreaterThan(1);
});

test('records of a file are reported until it ends', async () => {
  const documents = [1, 2, 3].map((n) => documentOf([readingAt(n * 1_000, 1)]));
  const { kept, simulate } = await keeping();
  expect(await simulate({ next: async () => documents.shift() })).toMatchObject({ sent: 3, acknowledged: 3 });
  expect([...kept.values()].map(({ data }) => data[0]?.ts.slice(17, 19))).toEqual(['01', '02', '03']);
});

test('a modem that has to finish waits for what is under way', async () => {
  const finish = new AbortController();
  const { kept, simulate } = await keeping(() => {
    finish.abort();
    return false;
  });
  const counts = await simulate({ finish: finish.signal, intervalSeconds: 1 });
  expect(counts.acknowledged).toBe(counts.sent);
  expect(kept.size).toBe(counts.sent);
});

test('a modem that had to wait goes on, also when its clock stands still', async () => {
  let asked = 0;
  const { port, server } = await serve((message, reply) => {
    if (message.type === 'ident') reply(WELCOME);
    if (message.type !== 'data') return;
    asked += 1;
    reply(asked === 1 ? { type: 'busy', seq: 1, retryAfterSeconds: 1 } : { type: 'ack', seq: 1 });
  });
  const options = { ...modemAt(port), messages: 1, now: () => Date.UTC(2026, 0, 1), log: () => {} };
  const counts = await simulateModem({ ...options, signal: new AbortController().signal });
  server.close();
  expect(counts).toMatchObject({ sent: 1, acknowledged: 1, repeated: 1 });
});
