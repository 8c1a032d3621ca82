import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { jest } from '@jest/globals';
import { BodyBudget } from './body-budget.ts';
import { receiveBytes } from './read-body.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('a body that comes too slowly is given up after two minutes', async () => {
  jest.useFakeTimers();
  const stream = Object.assign(new PassThrough(), { headers: {} });
  const received = receiveBytes(stream as unknown as IncomingMessage, 1000, new BodyBudget(1000).open());
  const refused = expect(received).rejects.toMatchObject({
    status: 400,
    message: 'request: must arrive within 120 s',
    headers: { connection: 'close' },
  });
  stream.write('a');
  jest.advanceTimersByTime(119_999);
  stream.write('b');
  jest.advanceTimersByTime(1);
  await refused;
});
