import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@catchment/testkit';
import { type Ended, FakeApi, KEY, runCommand } from '../test/fake-api.ts';
import { noteKey } from './api/api-options.ts';
import { ROOT } from './start/paths.ts';

const api = new FakeApi();
let folder: string;
beforeAll(async () => {
  await api.open();
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-commands-'));
});
afterAll(async () => {
  api.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  api.asked.length = 0;
  api.answer = (request, response) => respond(request.url ?? '', response);
});

const env = () => ({ HOME: folder, XDG_CONFIG_HOME: folder, CATCHMENT_URL: api.url, CATCHMENT_KEY: KEY });
const catchment = (args: readonly string[], input = ''): Promise<Ended> => runCommand(args, { env: env(), input });
const json = (response: ServerResponse, body: unknown, status = 200, headers = {}) =>
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r-1', ...headers })
    .end(JSON.stringify(body));
const refuse =
  (code: number, message: string, headers = {}) =>
  () => {
    api.answer = (_request, response) =>
      json(response, { error: { code, message, reason: 'A_REASON' } }, code, headers);
  };

const ID = '53eada0ada91110000000046';
const LEVEL = { _id: ID, _class: 'io.svc.models.node.point.NumberPoint', name: 'Level', units: 'm' };
const CSV = `"Id","${ID}"\n"Timestamp","Level"\n"Units","m"\n2024-06-01T00:00:00.000Z,1.5\n`;

/** One parameter with one record. */
function respond(url: string, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, api.url);
  if (pathname === '/api/v1/nodes/%40level') json(response, LEVEL);
  else if (pathname === '/api/v1/historic')
    response.writeHead(200, { 'Content-Type': 'text/csv' }).end(searchParams.get('header') === 'FALSE' ? '' : CSV);
  else if (pathname.endsWith('/historic')) json(response, { status: { code: 202 }, write: 'w1' }, 202);
  else json(response, [LEVEL]);
}

describe('failures say what to do, and end with their code', () => {
  test.each<[string, number, () => void, string]>([
    ['a wrong key', 3, refuse(401, 'Unauthorized: authentication failed'), 'check the key and the address'],
    [
      'an unknown node',
      4,
      refuse(404, 'Requested resource not found'),
      '@level: there is no such node. "catchment tree" shows',
    ],
    [
      'too many requests',
      6,
      refuse(429, 'Too many requests', { 'Retry-After': '600' }),
      'Too many requests (429, A_REASON, request r-1)',
    ],
    [
      'a page of a proxy',
      5,
      () => {
        api.answer = (_request, response) =>
          response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>No</h1>');
      },
      'something that is not Catchment answered 403 with text/html: check the address, and any proxy',
    ],
  ])('%s', async (_what, code, prepare, says) => {
    prepare();
    const failed = await catchment(['read', '@level', '--limit', '1', '--json']);
    expect([failed.code, failed.stdout]).toEqual([code, '']);
    const { error } = JSON.parse(failed.stderr);
    expect(error.message).toContain(says);
    expect(error).toMatchObject({ reason: expect.stringMatching(/^[A-Z_]+$/) });
    expect(failed.stderr).not.toContain(KEY);
  });

  test('no network, reported to people', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const failed = await runCommand(['login', '--url', url], { env: env(), input: KEY });
    expect([failed.code, failed.stdout]).toEqual([5, '']);
    expect(failed.stderr).toContain('no whole answer came: fetch failed (ECONNREFUSED)');
    expect(await readdir(folder)).not.toContain('catchment.toml');
  });

  test('wrong usage ends with 2, before anything is sent', async () => {
    const failed = await Promise.all([
      catchment(['read', '@level', '--no-such']),
      catchment(['read', '@level']),
      catchment(['reed', '--json']),
    ]);
    expect(failed.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(failed[0]?.stderr).toContain('"catchment read --help" shows what it takes');
    expect(JSON.parse(failed[2]?.stderr ?? '')).toMatchObject({ error: { reason: 'USAGE' } });
    expect(api.asked).toEqual([]);
  });
});

describe('read', () => {
  test('prints what comes, and keeps standard output for it', async () => {
    const done = await catchment(['read', '@level', '-s', '2024-06', '-e', '2024-07', '--tz', 'Etc/UTC']);
    expect(done).toEqual({ code: 0, stdout: CSV, stderr: '' });
    expect(Object.fromEntries(api.asked.at(-1)?.url.searchParams ?? [])).toMatchObject({
      params: ID,
      format: 'CSV',
      timezone: 'Etc/UTC',
      startTime: '2024-06-01T00:00:00.000Z',
      endTime: '2024-06-30T23:59:59.999Z',
    });
  });

  test('CSV that is too large at once comes in parts, with one header', async () => {
    api.answer = ({ url = '' }, response) => {
      const { pathname, searchParams: query } = new URL(url, api.url);
      const isYear =
        query.get('startTime') === '2024-01-01T00:00:00.000Z' && query.get('endTime') === '2024-12-31T23:59:59.999Z';
      if (pathname === '/api/v1/historic' && isYear)
        json(response, { error: { code: 413, message: 'too large' } }, 413);
      else respond(url, response);
    };
    const done = await catchment(['read', '@level', '-s', '2024', '-e', '2025']);
    expect([done.code, done.stdout]).toEqual([0, CSV]);
    expect(
      api.asked.slice(-2).map(({ url }) => [url.searchParams.get('endTime'), url.searchParams.get('header')]),
    ).toEqual([
      ['2024-07-01T23:59:59.999Z', null],
      ['2024-12-31T23:59:59.999Z', 'FALSE'],
    ]);
  });

  test('what is too large in another format says what to ask for', async () => {
    api.answer = ({ url = '' }, response) =>
      url.includes('/historic')
        ? json(response, { error: { code: 413, message: 'too large' } }, 413)
        : respond(url, response);
    const failed = await catchment(['read', '@level', '-s', '2024', '-e', '2025', '--format', 'JSON']);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('ask for less at once')]);
  });

  test('an answer that breaks off is reported, and leaves no file', async () => {
    api.answer = ({ url = '' }, response) => {
      if (!url.startsWith('/api/v1/historic')) return respond(url, response);
      response.writeHead(200, { 'Content-Type': 'text/csv' }).write(CSV, () => response.destroy());
    };
    const file = path.join(folder, 'level.csv');
    const [printed, kept] = await Promise.all([
      catchment(['read', '@level', '--limit', '9']),
      catchment(['read', '@level', '--limit', '9', '--output', file]),
    ]);
    expect([printed.code, printed.stderr]).toEqual([5, expect.stringContaining('what was printed is not whole')]);
    expect([kept.code, kept.stderr]).toEqual([5, expect.stringContaining(`${file} was not written`)]);
    expect((await readdir(folder)).filter((name) => name.startsWith('level'))).toEqual([]);
  });

  test('a reader that has seen enough ends it quietly', async () => {
    api.answer = ({ url = '' }, response) => {
      if (!url.startsWith('/api/v1/historic')) return respond(url, response);
      response.writeHead(200, { 'Content-Type': 'text/csv' });
      const more = (): void =>
        void response.write('2024-06-01T00:00:00.000Z,1\n'.repeat(1_000), (error) => (error ? undefined : more()));
      more();
    };
    const child = spawn(
      'sh',
      ['-c', `"$0" read @level --limit 9 | head -1; echo done`, path.join(ROOT, 'cli/bin/catchment')],
      {
        env: { PATH: process.env.PATH, ...env() },
      },
    );
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    await once(child, 'close');
    expect(printed).toBe('2024-06-01T00:00:00.000Z,1\ndone\n');
  });

  test('a file is there once it is whole, and is reported as JSON', async () => {
    const file = path.join(folder, 'whole.csv');
    const done = await catchment(['read', '@level', '--limit', '9', '--output', file, '--json']);
    expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { file, bytes: CSV.length, series: 1, format: 'CSV' }]);
    expect(await readFile(file, 'utf8')).toBe(CSV);
  });
});

describe('write', () => {
  test('records go in requests that count once, and what was written is said', async () => {
    const csv = 'time,Level\n2024-06-01T00:00Z,1.5\n2024-06-01T00:10Z,1.6\n2024-06-01T00:20Z,1.7\n';
    const done = await catchment(['write', '@level', '--batch', '2', '--json'], csv);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toEqual({ node: ID, records: 3, values: 3, requests: 2, refused: [] });
    const writes = api.asked.filter(({ method }) => method === 'PUT');
    expect(writes.map(({ body }) => (body as { data: unknown[] }).data.length)).toEqual([2, 1]);
    const keys = writes.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
    expect(keys.every((key) => typeof key === 'string' && key.length > 20)).toBe(true);
  });

  test('a file that is not there is reported as a failure', async () => {
    const failed = await catchment(['write', '@level', '/nonexistent.csv', '--json']);
    expect([failed.code, failed.stdout]).toEqual([2, '']);
    expect(JSON.parse(failed.stderr)).toEqual({
      error: { reason: 'USAGE', message: '/nonexistent.csv: cannot be read (ENOENT)' },
    });
  });

  test.each([
    ['2024-06-01 00:00', '2024-06-01T00:00:00 has no zone: give --tz, such as --tz Australia/Sydney'],
    ['13/06/2024 10:00', '2024-06-13T10:00:00 has no zone: give --tz'],
  ])('a time without a zone (%s) is refused before anything is written', async (time, says) => {
    const failed = await catchment(['write', '@level'], `time,Level\n${time},1.5\n${time},1.6\n`);
    expect([failed.code, failed.stdout]).toEqual([2, '']);
    expect(failed.stderr).toContain(says);
    expect(api.asked.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('times without a zone are in the one that is given, with its summer time', async () => {
    const done = await catchment(
      ['write', '@level', '--tz', 'America/New_York'],
      'time,Level\n2024-01-01 00:00,1\n2024-06-01 00:00,2\n',
    );
    expect([done.code, done.stdout]).toEqual([0, '2 records with 2 values written to Level, in 1 request.\n']);
    expect(api.asked.at(-1)?.body).toMatchObject({
      data: [{ ts: '2024-01-01T05:00:00.000Z' }, { ts: '2024-06-01T04:00:00.000Z' }],
    });
  });

  test('a part that was refused is reported with what was written', async () => {
    let writes = 0;
    api.answer = ({ method, url = '' }, response) => {
      if (method !== 'PUT') return respond(url, response);
      writes += 1;
      if (writes === 1) respond(url, response);
      else json(response, { error: { code: 400, message: 'data[0].f.0.v: must be a number', reason: 'INVALID' } }, 400);
    };
    const failed = await catchment(
      ['write', '@level', '--batch', '1', '--json'],
      'time,Level\n2024-06-01Z,1\n2024-06-02Z,2\n',
    );
    expect([failed.code, failed.stdout]).toEqual([7, '']);
    const { error } = JSON.parse(failed.stderr);
    expect(error.message).toMatch(
      /^1 record with 1 value written; then: line 3: .*data\[0\]\.f\.0\.v: must be a number/,
    );
  });

  test('some of many columns are reported too', async () => {
    let writes = 0;
    api.answer = ({ method, url = '' }, response) => {
      writes += method === 'PUT' ? 1 : 0;
      if (url.startsWith('/api/v1/nodes/%40gauge'))
        json(response, { ...LEVEL, _class: 'io.svc.models.node.source.data.Jts' });
      else if (writes < 2) respond(url, response);
      else json(response, { error: { code: 403, message: 'Not permitted', reason: 'NOT_PERMITTED' } }, 403);
    };
    const labels = Array.from({ length: 130 }, (_, n) => `c${n}`);
    const csv = `time,${labels.join(',')}\n2024-06-01T00:00Z,${labels.map((_, n) => n).join(',')}\n`;
    const failed = await catchment(['write', '@gauge', '--json'], csv);
    expect([failed.code, failed.stdout]).toEqual([7, '']);
    expect(JSON.parse(failed.stderr).error).toMatchObject({
      status: 403,
      message: expect.stringMatching(/^Some columns of the first records are written; then: .*Not permitted/),
    });
  });

  test('lines that cannot be read are reported, and the rest is written', async () => {
    const file = path.join(folder, 'some.csv');
    await writeFile(file, 'time,Level\n2024-06-01T00:00Z,1\nlater,2\n2024-06-01T00:10Z,3\n');
    const done = await catchment(['write', '@level', file]);
    expect([done.code, done.stdout]).toEqual([7, '2 records with 2 values written to Level, in 1 request.\n']);
    expect(done.stderr).toContain("1 line could not be read, the first: line 3, column 1: 'later' is no time");
  });
});

test('a key is kept by login, for its owner alone, and is used without a word about it', async () => {
  const bare = { HOME: folder, XDG_CONFIG_HOME: path.join(folder, 'own') };
  const kept = await runCommand(['login', '--url', api.url, '--profile', 'home', '--json'], {
    env: bare,
    input: `${KEY}\n`,
  });
  expect([kept.code, kept.stderr, JSON.parse(kept.stdout)]).toEqual([
    0,
    '',
    { profile: 'home', url: api.url, file: path.join(folder, 'own/catchment.toml'), isDefault: true },
  ]);
  const tree = await runCommand(['tree', '--json'], { env: bare });
  expect([tree.code, JSON.parse(tree.stdout)]).toEqual([0, [{ ...LEVEL, nodes: [] }]]);
  expect(api.asked.at(-1)?.headers['x-api-key']).toBe(KEY);
  const shown = await runCommand(['profiles'], { env: bare });
  expect(shown).toEqual({ code: 0, stderr: '', stdout: `home  ${api.url}  default\n` });
  const gone = await runCommand(['logout'], { env: bare });
  expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining('Profile home is gone')]);
  const without = await runCommand(['tree', '--data-dir', folder], { env: bare });
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('"catchment login" keeps the address')]);
});

test('--key is taken, in a script without a word', async () => {
  const bare = { HOME: folder, XDG_CONFIG_HOME: folder };
  const done = await runCommand(['tree', '--url', api.url, '--key', KEY, '--json'], { env: bare });
  expect([done.code, done.stderr]).toEqual([0, '']);
});

test('a person who types a key reads where it stays', () => {
  const printed: string[] = [];
  const write = (text: string) => printed.push(text) > 0;
  for (const isTTY of [false, true]) noteKey({ isTTY, write } as never);
  expect(printed).toEqual([expect.stringContaining('--key stays in the history of the shell')]);
});

test('tail -f goes on where it was after a cut, and Ctrl-C ends it with 0', async () => {
  const event = (n: number) => ({
    _id: `e${n}`,
    eventTime: '2024-06-01T00:00:00.000Z',
    level: 'INFO',
    eventType: 'STATE',
    message: `number ${n}`,
  });
  const message = (n: number) => `id: ${n}\ndata: ${JSON.stringify(event(n))}\n\n`;
  const lastIds: unknown[] = [];
  api.answer = ({ url = '', headers }, response) => {
    if (!url.startsWith('/api/v1/events/stream')) return json(response, [event(1)]);
    lastIds.push(headers['last-event-id']);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    // The server asks at once to connect again.
    if (lastIds.length === 1) response.end(`retry: 0\n\n${message(1)}${message(2)}`);
    else response.write(message(3));
  };
  const child = spawn(path.join(ROOT, 'cli/bin/catchment'), ['tail', 'events', '-f', '--json'], {
    env: { PATH: process.env.PATH, ...env() },
  });
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    if (stdout.includes('number 3')) child.kill('SIGINT');
  });
  const [code] = await once(child, 'close');
  expect([code, stderr, lastIds]).toEqual([0, '', [undefined, '2']]);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message),
  ).toEqual(['number 1', 'number 2', 'number 3']);
});
