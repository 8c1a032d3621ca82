import { ServerExited } from './server-process.ts';
import { retryOnTakenPort } from './taken-port.ts';

const taken = new ServerExited('NATS exited: listen tcp 127.0.0.1:4222: bind: address already in use');

test.each([
  ['a port taken meanwhile is chosen again', [taken], 2, undefined],
  ['… not for ever', [taken, taken, taken], 3, taken.message],
  ['another failure is reported at once', [new ServerExited('bad configuration')], 1, 'bad configuration'],
  ['a slow server is reported at once', [new Error('address already in use, says a log')], 1, 'says a log'],
])('%s', async (_what, failures, expectedStarts, message) => {
  let starts = 0;
  const starting = retryOnTakenPort(async () => {
    const failure = failures[starts++];
    if (failure !== undefined) throw failure;
    return 'started';
  });
  if (message === undefined) expect(await starting).toBe('started');
  else await expect(starting).rejects.toThrow(message);
  expect(starts).toBe(expectedStarts);
});
