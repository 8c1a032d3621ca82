import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openOutput } from './open-output.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'catchment-output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const inFolder = (name: string) => path.join(folder, name);

test('a file is there once it is whole, and stays as it was where that fails', async () => {
  writeFileSync(inFolder('june.csv'), 'old');
  const failed = openOutput(inFolder('june.csv'));
  await failed.write('half');
  await failed.abandon();
  expect(readFileSync(inFolder('june.csv'), 'utf8')).toBe('old');
  const output = openOutput(inFolder('june.csv'));
  await output.write('new');
  await output.complete();
  expect(readFileSync(inFolder('june.csv'), 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['june.csv']);
});

test('a link stays, and leads to what was written', async () => {
  writeFileSync(inFolder('kept.csv'), 'old');
  symlinkSync(inFolder('kept.csv'), inFolder('link.csv'));
  const output = openOutput(inFolder('link.csv'));
  await output.write('new');
  await output.complete();
  expect(lstatSync(inFolder('link.csv')).isSymbolicLink()).toBe(true);
  expect(readFileSync(inFolder('kept.csv'), 'utf8')).toBe('new');
});

test('a pipe is written to, and stays a pipe', async () => {
  execFileSync('mkfifo', [inFolder('pipe')]);
  // Whoever opens it for both ways waits for nobody.
  const reader = await open(inFolder('pipe'), 'r+');
  const output = openOutput(inFolder('pipe'));
  await output.write('new');
  await output.complete();
  const { buffer, bytesRead } = await reader.read(Buffer.alloc(8), 0, 8);
  expect(buffer.toString('utf8', 0, bytesRead)).toBe('new');
  expect(lstatSync(inFolder('pipe')).isFIFO()).toBe(true);
  const abandoned = openOutput(inFolder('pipe'));
  await abandoned.abandon();
  await reader.close();
  expect(lstatSync(inFolder('pipe')).isFIFO()).toBe(true);
});
