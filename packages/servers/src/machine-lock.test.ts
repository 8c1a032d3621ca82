import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

test('a holder that is killed leaves the lock to the next', async () => {
  const hold = `(await import('./machine-lock.ts')).holdMachineLock('${name}').then(() => console.log('held'))`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', hold], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(String(await once(holder.stdout, 'data'))).toBe('held\n');
  holder.kill('SIGKILL');
  const next = await holdMachineLock(name);
  await next[Symbol.asyncDispose]();
});
