import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { holdMachineLock } from './machine-lock.ts';

const name = `catchment-lock-test-${process.pid}`;
afterAll(() => rm(path.join(os.tmpdir(), `${name}-${process.getuid?.() ?? 0}.lock`), { force: true }));

test('a second holder waits until the first is done', async () => {
  const events: string[] = [];
  const first = await holdMachineLock(name);
  const second = holdMachineLock(name).then((lock) => {
    events.push('second has it');
    return lock;
  });
  events.push('first still has it');
  await first[Symbol.asyncDispose]();
  await (await second)[Symbol.asyncDispose]();
  expect(events).toEqual(['first still has it', 'second has it']);
});
