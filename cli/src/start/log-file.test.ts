import { mkdtemp, readFile, rm, stat, symlink, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { until } from '@catchment/testkit';
import { LogFile } from './log-file.ts';

let folder: string;
let file: string;
let nowMs: number;
let said: string[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-log-'));
  file = path.join(folder, 'service.log');
  nowMs = 0;
  said = [];
});
afterEach(() => rm(folder, { recursive: true }));

const textOf = (name: string) => readFile(name, 'utf8').catch(() => '');
const open = (limitBytes = 1_000) =>
  new LogFile({ file, limitBytes, say: (line) => said.push(line), now: () => nowMs });

const onFullDisk = process.platform === 'linux' ? test : test.skip;

onFullDisk(
  'a disk that is full ends nobody: what is said meanwhile is left out, and the log goes on when there is room',
  async () => {
    await symlink('/dev/full', file);
    const log = open();
    const [out, err] = [new PassThrough(), new PassThrough()];
    for (const source of [out, err]) log.take(source);
    out.write('lost, one\n');
    await until(() => said.length > 0);
    expect(said[0]).toMatch(/service\.log cannot be written, and is left out until it can: ENOSPC/);
    err.write('lost, two\n');
    nowMs += 1_000;
    err.write('lost, three\n');
    await until(() => err.readableLength === 0);
    await unlink(file);
    await until(async () => {
      nowMs += 1_000;
      out.write('kept\n');
      return (await textOf(file)) !== '';
    });
    await until(() => said.length > 1);
    expect(said[1]).toMatch(/service\.log is written again; \d+ bytes are missing/);
    const text = await readFile(file, 'utf8');
    expect([text.includes('kept\n'), text.includes('one'), text.includes('two')]).toEqual([true, false, false]);
    out.end();
    err.end();
    await log.close();
  },
);

test('a log that has grown too large becomes the old one', async () => {
  const log = open(100);
  const out = new PassThrough();
  log.take(out);
  for (let n = 0; n < 30; n += 1) {
    out.write(`${String(n).padStart(9)}\n`);
    await until(async () => (await Promise.all([file, `${file}.old`].map(textOf))).join('').includes(`${n}\n`));
  }
  out.end();
  await log.close();
  expect((await stat(`${file}.old`)).size).toBeLessThanOrEqual(110);
  expect(await readFile(file, 'utf8')).toContain('29\n');
});

test('what a process said before its end is in the log, however soon that is closed', async () => {
  const log = open();
  const out = new PassThrough();
  log.take(out);
  out.end('last words\n');
  await log.close();
  expect(await readFile(file, 'utf8')).toBe('last words\n');
});
