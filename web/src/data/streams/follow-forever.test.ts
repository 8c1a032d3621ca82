import { CatchmentError } from '@catchment/client';
import { wake } from './connection.ts';
import { type Following, followForever } from './follow-forever.ts';

/** Makes a stream that a test drives: each try is held until it is ended. */
function staged(from = '') {
  const tries: { readonly following: Following; readonly end: (error: unknown) => void }[] = [];
  const reported: string[] = [];
  let isOver = false;
  const follow = (following: Following) =>
    new Promise<void>((_, reject) => {
      following.signal.addEventListener('abort', () => reject(following.signal.reason));
      tries.push({ following, end: reject });
    });
  const ended = followForever({
    follow,
    from,
    onLost: () => reported.push('lost'),
    isOver: () => isOver,
  });
  const stop = async () => {
    isOver = true;
    wake();
    await ended;
  };
  return { tries, reported, stop };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a stream that had nothing to send yet goes on where it began when the network is back, and not at what is now', async () => {
  const { tries, reported, stop } = staged();
  expect(tries[0]?.following.after).toBeUndefined();
  tries[0]?.following.onPlace('c1');
  wake();
  await turn();
  expect(tries[1]?.following.after).toBe('c1');
  tries[1]?.following.onPlace('c2');
  wake();
  await turn();
  expect(tries[2]?.following.after).toBe('c2');
  expect(reported).toEqual(['lost']);
  await stop();
});

test('a place that the server does not know any more is given up, and reported as a loss once there is another', async () => {
  const { tries, reported, stop } = staged('c1');
  tries[0]?.end(new CatchmentError('Last-Event-ID: must be the id', { kind: 'argument', reason: 'INVALID_CURSOR' }));
  await turn();
  wake();
  await turn();
  expect([tries[1]?.following.after, reported]).toEqual([undefined, []]);
  tries[1]?.following.onPlace('c9');
  expect(reported).toEqual(['lost']);
  await stop();
});

test('a page that knows where its account was goes on from there, and has lost nothing', async () => {
  const { tries, reported, stop } = staged('c1');
  expect(tries[0]?.following.after).toBe('c1');
  tries[0]?.following.onPlace('c2');
  expect(reported).toEqual([]);
  await stop();
});
