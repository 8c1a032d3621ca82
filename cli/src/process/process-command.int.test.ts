import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../start/paths.ts';

const REPORT = { records: [], errors: [], console: [], runs: 2, failed: 0, elapsedMs: 1, isComplete: true };
const asked: { url: string | undefined; key: unknown; body: Record<string, unknown> }[] = [];
let answer: { status: number; json: object };
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    asked.push({
      url: request.url,
      key: request.headers['x-api-key'],
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    response.writeHead(answer.status).end(JSON.stringify(answer.json));
  });
});
let folder: string;
let url: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-process-'));
  await writeFile(path.join(folder, 'twice.js'), 'return 2 * NUMBER("Level")');
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const command = (...args: string[]) =>
  promisify(execFile)(
    path.join(ROOT, 'cli/bin/catchment'),
    ['process', 'test', path.join(folder, 'twice.js'), '--node', '@twice', '--url', url, '--key', 'k', ...args],
    { env: { PATH: process.env.PATH } },
  ).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );

test('a program is sent with its range, and what it made is printed', async () => {
  answer = { status: 200, json: { ...REPORT, records: [{ ts: '2024-03-01T00:00:00.000Z', value: 4 }] } };
  const { code, stdout } = await command(
    '--start',
    '2024-03-01',
    '--end',
    '2024-03-02',
    '--limit',
    '5',
    '--mode',
    'ANY_INPUT',
  );
  expect(code).toBe(0);
  expect(stdout).toContain('2024-03-01T00:00:00.000Z  4');
  expect(asked.at(-1)).toEqual({
    url: '/api/v1/nodes/@twice/process/test',
    key: 'k',
    body: {
      code: 'return 2 * NUMBER("Level")',
      startTime: '2024-03-01T00:00:00.000Z',
      endTime: '2024-03-02T00:00:00.000Z',
      limit: 5,
      runMode: 'ANY_INPUT',
    },
  });
});

test('a failed run ends with 1, and so does a program that is none', async () => {
  answer = { status: 200, json: { ...REPORT, failed: 1, errors: [{ message: 'no', line: 1 }] } };
  const failed = await command();
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('line 1  no')]);
  answer = { status: 400, json: { error: { code: 400, message: 'Unexpected token (line 1)' } } };
  const refused = await command();
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Unexpected token (line 1)')]);
  const wrong = await command('--start', 'yesterday');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--start')]);
});
