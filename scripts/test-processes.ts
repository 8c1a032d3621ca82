// `npm run test:processes [-- <part of a path>]` runs the end-to-end tests with the services in one process, in two, and in one for each,
// whatever `npm test` does with a file. Ends with status 0 when all of them passed every way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PROCESSES_ENV } from '../e2e/src/processes.ts';

const WAYS = ['1', '2', 'each'] as const;
const script = path.join(import.meta.dirname, 'test.ts');

const failed: string[] = [];
for (const way of WAYS) {
  process.stdout.write(
    `\nservices in ${way === 'each' ? 'a process each' : way === '1' ? 'one process' : 'two processes'}\n`,
  );
  const child = spawn(process.execPath, [script, ...process.argv.slice(2)], {
    cwd: path.resolve(import.meta.dirname, '../e2e'),
    env: { ...process.env, [PROCESSES_ENV]: way },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) failed.push(way);
}
process.stdout.write(failed.length > 0 ? `\nfailed with --processes ${failed.join(', ')}\n` : '\ngood every way\n');
process.exitCode = failed.length > 0 ? 1 : 0;
