// `npm run test:crowded [-- <part of a file's path> …]` runs integration and end-to-end tests, twice in a row, while a busy loop holds each
// processor. What waits for a clock, or promises a time, fails here. Ends in a line `N passed, N failed` for each round.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { CHECKED, SHARED_INSTALLATION_ENV, startInstallation } from '../e2e/src/installation.ts';

const root = path.resolve(import.meta.dirname, '..');
const ROUNDS = 2;
/** These tests talk to real servers, or to the page, in a browser. */
const CROWDED = ['.int.test.ts', '.e2e.test.ts', 'web/test/'];
/** Ends with its parent, however that ends. */
const BUSY_LOOP = `for (let n = 1; ; n += 1) if (n % 1e8 === 0 && process.ppid !== ${process.pid}) process.exit();`;

const given = process.argv.slice(2);
let isInterrupted = false;
let tests: ChildProcess | undefined;
// The tests end; then the loops and the servers are stopped.
process.once('SIGINT', () => (isInterrupted = true)); // of a terminal: the tests get it too
process.once('SIGTERM', () => {
  isInterrupted = true;
  tests?.kill('SIGTERM');
});

const busy = Array.from({ length: os.availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', BUSY_LOOP], { stdio: 'ignore' }),
);
const outcomes: string[] = [];
try {
  for (let round = 1; round <= ROUNDS && !isInterrupted; round += 1) {
    process.stdout.write(`\nround ${round} of ${ROUNDS}, ${busy.length} busy loops beside it\n`);
    outcomes.push(`round ${round}: ${await runTests()}`);
  }
} finally {
  await Promise.all(busy.map(end));
}
process.stdout.write(`\n${outcomes.join('\n')}\n`);
if (isInterrupted) process.exitCode = 130;
else if (outcomes.some((line) => !line.endsWith(' 0 failed'))) process.exitCode = 1;

/** @returns the last line of `npm test` */
async function runTests(): Promise<string> {
  const shared = await startInstallation({ env: CHECKED });
  try {
    tests = spawn(process.execPath, [path.join(root, 'scripts/test.ts'), ...(given.length === 0 ? CROWDED : given)], {
      cwd: root,
      env: { ...process.env, [SHARED_INSTALLATION_ENV]: shared.dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    tests.stdout?.on('data', (chunk) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    await once(tests, 'close');
    return output.trim().split('\n').at(-1) ?? '';
  } finally {
    await shared.stop();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
