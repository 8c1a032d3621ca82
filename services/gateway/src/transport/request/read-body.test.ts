import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { vi } from 'vitest';
import { BodyBudget } from '../../domain/body-budget.ts';
import { receiveBytes } from './read-body.ts';
import { watchStall } from './stall-watch.ts';

afterEach(() => {
  vi.useRealTimers();
});

function bodyAtHand() {
  vi.useFakeTimers();
  const stream = Object.assign(new PassThrough(), { headers: {} });
  return {
    stream,
    received: receiveBytes(
      stream as unknown as IncomingMessage,
      1000,
      new BodyBudget(1_000_000).open({ account: 'a' }),
    ),
  };
}

// A request flows by itself: `read()` answers the first piece of what has arrived, not all of it.
test('a body of several pieces that arrived before it is read is read whole', async () => {
  const body = JSON.stringify(Array.from({ length: 16_000 }, (_, n) => n));
  const server = createServer(async (request, response) => {
    while (request.readableLength < body.length) await new Promise((resolve) => setImmediate(resolve));
    const received = await receiveBytes(request, body.length, new BodyBudget(10 * body.length).open({ account: 'a' }));
    response.end(String(received.toString() === body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'PUT', body });
  expect(await answer.text()).toBe('true');
  server.close();
});

test('a body that comes too slowly is given up after two minutes', async () => {
  const { stream, received } = bodyAtHand();
  const refused = expect(received).rejects.toMatchObject({
    status: 400,
    message: 'request: must arrive within 120 s',
    headers: { connection: 'close' },
  });
  for (let seconds = 20; seconds < 120; seconds += 20) {
    stream.write('a');
    await vi.advanceTimersByTimeAsync(20_000);
  }
  stream.write('b');
  await vi.advanceTimersByTimeAsync(20_000);
  await refused;
});

test.each([0, 1, 3])('a body that stalls after %d parts is given up after half a minute', async (parts) => {
  const { stream, received } = bodyAtHand();
  let problem: unknown;
  received.catch((error) => {
    problem = error;
  });
  for (let part = 0; part < parts; part += 1) {
    stream.write('a');
    await vi.advanceTimersByTimeAsync(29_000);
  }
  await vi.advanceTimersByTimeAsync(parts === 0 ? 29_999 : 999);
  expect(problem).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(problem).toMatchObject({
    status: 400,
    message: 'body: must arrive without a pause of more than 30 s',
    headers: { connection: 'close' },
  });
});

test('a body that nobody takes for a while does not stall', async () => {
  vi.useFakeTimers();
  const stream = new PassThrough();
  const stalled = vi.fn();
  const end = watchStall(stream, stalled);
  stream.write('a');
  stream.pause();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(stalled).not.toHaveBeenCalled();
  stream.resume();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(stalled).toHaveBeenCalledTimes(1);
  end();
});
