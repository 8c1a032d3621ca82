import { setImmediate as settled } from 'node:timers/promises';
import { Turns } from './turns.ts';

const never = new AbortController().signal;

test('so many at once, the others in their order', async () => {
  const turns = new Turns({ atOnce: 2, waiting: 10 });
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const all = ends.map(({ promise }, i) =>
    turns.run(async () => {
      begun.push(i);
      await promise;
    }, never),
  );
  await settled();
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  await all[1];
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  await Promise.all(all);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('a failure gives its turn on', async () => {
  const turns = new Turns({ atOnce: 1, waiting: 1 });
  const failed = turns.run(() => Promise.reject(new Error('failed')), never);
  const next = turns.run(async () => 'done', never);
  await expect(failed).rejects.toThrow('failed');
  expect(await next).toBe('done');
  expect(await turns.run(async () => 'again', never)).toBe('again');
});

test('who waits may leave, and too many are turned away', async () => {
  const turns = new Turns({ atOnce: 1, waiting: 1 });
  const first = Promise.withResolvers<void>();
  const running = turns.run(() => first.promise, never);
  const leaving = new AbortController();
  const waiting = turns.run(async () => 'never', leaving.signal);
  await expect(turns.run(async () => 'never', never)).rejects.toMatchObject({ kind: 'unavailable' });
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  const last = turns.run(async () => 'done', never);
  first.resolve();
  await running;
  expect(await last).toBe('done');
});
