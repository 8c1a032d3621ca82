// `npm run test:calendar -w packages/time [-- --seed <n>]` makes the table of intervals again by Python's own calendar, which must be the
// committed one, and compares one of about 26 000 rows with what the runtime's calendar says. Needs Python 3.9, where the system has no
// time zones with its package tzdata.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runVitest } from './run-vitest.ts';

const CASES = 60;
const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'packages/time/test');
const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const seed = values.seed ?? String(Date.now() % 1_000_000);

if (tableOf() !== readFileSync(path.join(folder, 'intervals.csv'), 'utf8'))
  throw new Error(
    'packages/time/test/intervals.csv is not what intervals.py prints: run it again, and look at what has changed',
  );
const draft = mkdtempSync(path.join(tmpdir(), 'calendar-'));
try {
  const table = path.join(draft, 'intervals.csv');
  writeFileSync(table, tableOf(seed, String(CASES)));
  console.log(`seed ${seed}`);
  process.exitCode = await runVitest(['packages/time/src/interval-grid'], { CALENDAR_TABLE: table });
} finally {
  rmSync(draft, { recursive: true });
}

function tableOf(...args: readonly string[]): string {
  const { status, stdout } = run('python3', [path.join(folder, 'intervals.py'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`python3 ended with ${status}`);
  return String(stdout);
}

function run(command: string, args: readonly string[], options: Parameters<typeof spawnSync>[2]) {
  const ended = spawnSync(command, args, { cwd: root, maxBuffer: 64 * 1024 * 1024, ...options });
  if (ended.error) throw ended.error;
  return ended;
}
