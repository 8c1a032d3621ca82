import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { until } from '@catchment/testkit';
import { MessageQueue } from './message-queue.ts';
import { documentOf, readingAt } from './readings.ts';
import { simulateModem } from './simulate-modem.ts';

type Message = Record<string, unknown> & { type: string };
type Answer = (message: Message, reply: (answer: unknown) => void, socket: Socket) => void;

/** A server of the protocol with given answers that records its messages. */
async function serve(answer: Answer): Promise<{ port: number; got: Message[]; server: Server }> {
  const got: Message[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    const lines = createInterface({ input: socket });
    // Errors of the socket are the reader's too.
    lines.on('error', () => {});
    lines.on('line', (line) => {
      const message = JSON.parse(line) as Message;
      got.push(message);
      answer(message, (reply) => socket.write(`${JSON.stringify(reply)}\n`), socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, got, server };
}

/** Runs a modem until `done` holds. */
async function withModem(port: number, done: () => unknown, lines: string[] = []): Promise<void> {
  const stop = new AbortController();
  const options = { host: '127.0.0.1', port, deviceKey: '123456789012', secret: 's3cret-s3cret', intervalSeconds: 1 };
  const running = simulateModem({ ...options, signal: stop.signal, log: (line) => lines.push(line) });
  try {
    await until(done);
  } finally {
    stop.abort();
    await running;
  }
}

const WELCOME = { type: 'welcome', ackedSeq: 0, statusIntervalSeconds: 600 };
const seqs = (got: readonly Message[]) => got.filter((one) => one.type === 'data').map((one) => one.seq);

test('identifies itself, confirms its configuration, tells its status and waits for each answer', async () => {
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
  expect(got.find((one) => one.type === 'status')).toMatchObject({ signal: expect.any(Number) });
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
  expect(new Set(got.filter((one) => one.type === 'ident').map((one) => one.session)).size).toBe(1);
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
  for (let i = 0; i < 3; i += 1) queue.add({});
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
    const [one, next] = [readingAt(at + i * 10_000, 7), readingAt(at + (i + 1) * 10_000, 7)];
    expect(Math.abs(one.level - next.level)).toBeLessThan(0.02);
    expect(Math.abs(one.temperature - next.temperature)).toBeLessThan(0.2);
  }
  expect(Object.keys((documentOf([readingAt(at, 1)]).header as { columns: object }).columns)).toEqual(['0', '1', '2']);
});
