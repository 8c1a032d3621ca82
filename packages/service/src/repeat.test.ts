import { repeat } from './repeat.ts';

test('a task that fails is run again, and stopping waits for the one that runs', async () => {
  const third = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let [runs, warnings] = [0, 0];
  const log = { warn: () => (warnings += 1) };
  const task = async () => {
    runs += 1;
    if (runs === 1) throw new Error('away');
    if (runs < 3) return;
    begun.resolve();
    await third.promise;
  };
  const repeated = repeat(task, { everyMs: 1, failed: 'failed', log });
  await begun.promise;
  let isStopped = false;
  const stopped = repeated.stop().then(() => {
    isStopped = true;
  });
  expect(isStopped).toBe(false);
  third.resolve();
  await stopped;
  expect(runs).toBe(3);
  expect(warnings).toBe(1);
});
