// Sources download from servers of others (docs/reference/acquisition.md#what-is-new).
import { appendFile, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SettingsOf } from '@catchment/contracts/transports';
import { Egress } from '@catchment/egress';
import { ftpServer, HANGS_AFTER_MS, sftpServer } from '@catchment/testkit';
import { CommunicationFailure, FinalFailure } from '../src/acquisition/index.ts';
import { FtpDownload, HttpDownload, type RenderUrl, SftpDownload } from '../src/downloads/index.ts';
import {
  bodies,
  closers,
  database,
  egress,
  faults,
  now,
  records,
  session,
  sourceOf,
  store,
  useDownloads,
} from './download-fixture.ts';

useDownloads();

const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `${new Date(1.7e12 + (from + n) * 1000).toISOString()},${from + n}\n`).join(
    '',
  );
const acquired = (name: string, content: string, how = 'Acquired') =>
  `DEBUG ${how} '${name}' [${content.length} bytes]`;
const level = (count: number, from = 0) => `t,Level\n${lines(count, from)}`;
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing failed',
    (error: unknown) =>
      error instanceof CommunicationFailure ? error.message : `no failure of communication: ${error}`,
  );

const REFUSED_ADDRESS = 'address is private or reserved, and its range is not allowed by the operator';
const LOGIN = { user: 'logger', password: 'secret' };

describe.each(['FTP', 'FTPS_EXPLICIT', 'FTPS_IMPLICIT'] as const)('%s', (mode) => {
  let ftp: Awaited<ReturnType<typeof ftpServer>>;
  let transport: FtpDownload;
  let settings: Partial<SettingsOf<'FtpDownload'>>;
  beforeAll(async () => {
    ftp = await ftpServer({ mode, ...LOGIN });
    transport = new FtpDownload(egress, { ca: ftp.certificate.pem });
    settings = { host: '127.0.0.1', port: ftp.port, mode, path: '', ...LOGIN };
  });
  afterAll(() => ftp.stop());

  test('files are acquired once, with those of folders below; new ones when they come', async () => {
    await mkdir(join(ftp.folder, 'station 1'));
    await writeFile(join(ftp.folder, 'a.csv'), level(3));
    await writeFile(join(ftp.folder, 'station 1', 'b.csv'), `t,Flow\n${lines(2)}`);
    const source = sourceOf();
    expect((await session(transport, settings, source)).sort()).toEqual([
      acquired('a.csv', level(3)),
      acquired('b.csv', `t,Flow\n${lines(2)}`),
    ]);
    expect(records()).toHaveLength(5);
    expect(await session(transport, settings, source)).toEqual(['DEBUG No new records']);
    await writeFile(join(ftp.folder, 'c.csv'), `t,Rain\n${lines(1)}`);
    expect(await session(transport, settings, source)).toEqual([acquired('c.csv', `t,Rain\n${lines(1)}`)]);
  });

  test('a file that is acquired is deleted, if the source says so', async () => {
    const folder = join(ftp.folder, 'out');
    await mkdir(folder);
    await writeFile(join(folder, 'x.csv'), level(2));
    const source = sourceOf({ deleteAfterAcquire: true });
    const from = { ...settings, path: '/out' };
    expect(await session(transport, from, source)).toEqual([acquired('x.csv', level(2), 'Acquired and deleted')]);
    await expect(stat(join(folder, 'x.csv'))).rejects.toThrow('ENOENT');
    // The next one of its name goes on with nothing.
    await writeFile(join(folder, 'x.csv'), level(4));
    expect(await session(transport, from, source)).toEqual([acquired('x.csv', level(4), 'Acquired and deleted')]);
  });

  test('what fails is said in words', async () => {
    const source = sourceOf();
    expect(await failureOf(session(transport, { ...settings, password: 'wrong' }, source))).toBe(
      'login was refused: check user and password',
    );
    expect(await failureOf(session(transport, { ...settings, path: '/nowhere' }, source))).toMatch(/^answered 550 /);
    expect(await failureOf(session(transport, { ...settings, host: '127.0.0.2' }, source))).toBe(REFUSED_ADDRESS);
    expect(await failureOf(session(transport, { ...settings, port: 1 }, source))).toBe('connection refused');
    if (mode === 'FTP') return;
    const strict = new FtpDownload(egress);
    expect(await failureOf(session(strict, settings, source))).toMatch(/^TLS refused: /);
  });
});

describe('what is new of a file, over FTP', () => {
  let ftp: Awaited<ReturnType<typeof ftpServer>>;
  const transport = new FtpDownload(egress);
  let settings: Partial<SettingsOf<'FtpDownload'>>;
  let folder = '';
  let place = 0;
  beforeAll(async () => {
    ftp = await ftpServer({ mode: 'FTP', ...LOGIN });
  });
  afterAll(() => ftp.stop());
  beforeEach(async () => {
    place += 1;
    folder = join(ftp.folder, `${place}`);
    await mkdir(folder);
    settings = { host: '127.0.0.1', port: ftp.port, mode: 'FTP', path: `/${place}`, ...LOGIN };
  });
  const put = (name: string, text: string | Buffer) => writeFile(join(folder, name), text);
  const add = (name: string, text: string) => appendFile(join(folder, name), text);

  test('of a file that has grown, the lines after those that were read', async () => {
    const source = sourceOf();
    await put('a.csv', level(3));
    await session(transport, settings, source);
    bodies.splice(0);
    await add('a.csv', lines(2, 3));
    expect(await session(transport, settings, source)).toEqual([acquired('a.csv', lines(2, 3))]);
    expect(records().map((record) => record.split(' ')[2])).toEqual(['3', '4']);
  });

  test('a last line without an end is read again when it has one', async () => {
    const source = sourceOf();
    await put('a.csv', `t,Level\n${lines(1)}2023-11-14T22:13:21.000Z,1`);
    await session(transport, settings, source);
    await add('a.csv', '2.5\n');
    await session(transport, settings, source);
    expect(records()).toEqual([
      'Level 2023-11-14T22:13:20.000Z 0',
      'Level 2023-11-14T22:13:21.000Z 1',
      'Level 2023-11-14T22:13:21.000Z 12.5',
    ]);
  });

  test('of a long file by its head alone; line numbers are those of the whole file', async () => {
    const source = sourceOf();
    const before = `t,Level,Note\n${lines(6_000).replaceAll('\n', ',"a ""note""\nof two lines"\n')}`;
    await put('a.csv', before);
    await session(transport, settings, source);
    bodies.splice(0);
    const more = lines(2, 6_000).replaceAll('\n', ',x\n');
    await add('a.csv', `${more}nonsense,1,y\n`);
    expect(await session(transport, settings, source)).toEqual([`DEBUG Acquired 'a.csv' [${more.length + 13} bytes]`]);
    expect(
      records()
        .filter((record) => record.startsWith('Level'))
        .map((record) => record.split(' ')[2]),
    ).toEqual(['6000', '6001']);
    const { rows } = await database.query<{ report: { firstFailure: string } }>(
      "SELECT outcome->'report' AS report FROM files WHERE source_id = $1 ORDER BY place DESC LIMIT 1",
      [source.files._id],
    );
    expect(rows[0]?.report.firstFailure).toMatch(/^line 12004, column 1: 'nonsense' is no time/);
  });

  test('a time that occurs twice in autumn follows the rows before it', async () => {
    const source = sourceOf({ timezone: 'America/New_York', timezoneAdjustForDst: true });
    await put('a.csv', 't,Level\n2024-11-03 00:30:00,1\n2024-11-03 01:30:00,2\n');
    await session(transport, settings, source);
    bodies.splice(0);
    await add('a.csv', '2024-11-03 01:15:00,3\n');
    await session(transport, settings, source);
    expect(records()).toEqual(['Level 2024-11-03T06:15:00.000Z 3']);
  });

  test('another file of the name is read whole: shorter, or with another beginning', async () => {
    const source = sourceOf();
    await put('a.csv', level(3));
    await session(transport, settings, source);
    await put('a.csv', `t,Level\n${lines(2, 100)}`);
    expect(await session(transport, settings, source)).toEqual([acquired('a.csv', level(2, 100))]);
    await put('a.csv', `t,Flow\n${lines(5, 200)}`);
    expect(await session(transport, settings, source)).toEqual([acquired('a.csv', `t,Flow\n${lines(5, 200)}`)]);
    expect(records()).toHaveLength(10);
  });

  test('each time whole, with readMode ALL', async () => {
    const source = sourceOf({ readMode: 'ALL' });
    await put('a.csv', level(3));
    await session(transport, settings, source);
    await session(transport, settings, source);
    expect(records()).toHaveLength(6);
  });

  test('an entry whose acquireTime is set is collected anew from there on', async () => {
    const entry = { entryId: 'e1', match: '*.csv' };
    const source = sourceOf({ files: [entry] });
    await put('a.csv', level(3));
    await session(transport, settings, source);
    bodies.splice(0);
    source.files = { ...source.files, files: [{ ...entry, acquireTimeMs: 1.7e12 }] };
    await session(transport, settings, source);
    expect(records().map((record) => record.split(' ')[2])).toEqual(['1', '2']);
    expect(await session(transport, settings, source)).toEqual(['DEBUG No new records']);
  });

  test('records before the initial collection are left out', async () => {
    const source = sourceOf({}, { initialCollection: new Date(1.7e12 + 2000).toISOString() });
    await put('a.csv', level(4));
    await session(transport, settings, source);
    expect(records().map((record) => record.split(' ')[2])).toEqual(['2', '3']);
  });

  test('files that no entry takes are reported once, 20 of them a session', async () => {
    const source = sourceOf({ files: [{ match: 'level' }] });
    await put('LEVEL.csv', level(1));
    await Promise.all(Array.from({ length: 25 }, (_, n) => put(`other-${n}.txt`, 'x')));
    const reported = await session(transport, settings, source);
    expect(reported.filter((event) => event.startsWith("DEBUG Ignored 'other-"))).toHaveLength(20);
    expect(await session(transport, settings, source)).toEqual(['DEBUG No new records']);
    // A file that an entry takes now is acquired.
    source.files = { ...source.files, files: [{ match: 'level' }, { match: '^other-3\\.', isRegex: true }] };
    expect(await session(transport, settings, source)).toEqual(["DEBUG Acquired 'other-3.txt' [1 bytes]"]);
  });

  test('a time of change distinguishes a file of the same size from the one before', async () => {
    const source = sourceOf();
    await put('a.csv', level(1));
    await session(transport, settings, source);
    await put('a.csv', `t,Level\n${lines(1, 5)}`);
    await utimes(join(folder, 'a.csv'), 2e9, 2e9);
    expect(await session(transport, settings, source)).toEqual([acquired('a.csv', level(1, 5))]);
  });

  test('what is known of files that are gone, and of sources, goes with them', async () => {
    const source = sourceOf();
    await put('a.csv', level(1));
    await put('b.csv', level(1));
    await session(transport, settings, source);
    await rm(join(folder, 'a.csv'));
    await session(transport, settings, source);
    const count = async () =>
      (await database.query('SELECT FROM fetched_files WHERE source_id = $1', [source.files._id])).rowCount;
    expect(await count()).toBe(1);
    await store.forgetDownloads([source.files._id]);
    expect(await count()).toBe(0);
  });

  test('a session that is aborted ends soon, and says why', async () => {
    const source = sourceOf();
    await put('a.csv', `t,Level\n${lines(50_000)}`);
    const stop = new AbortController();
    const begun = session(transport, settings, source, stop.signal);
    setImmediate(() => stop.abort(new Error('the source was disabled')));
    await expect(begun).rejects.toThrow('the source was disabled');
  });
});

test('of 600 files in a folder each is acquired, though an account may have few of them waiting', async () => {
  const ftp = await ftpServer({ mode: 'FTP', ...LOGIN });
  closers.push(() => ftp.stop());
  const source = sourceOf({ files: [{ match: 'wanted' }] });
  await Promise.all(
    Array.from({ length: 600 }, (_, n) =>
      writeFile(join(ftp.folder, `${n % 20 ? 'other' : 'wanted'}-${n}.csv`), `t,Level\n${lines(1, n)}`),
    ),
  );
  const reported = await session(
    new FtpDownload(egress),
    { host: '127.0.0.1', port: ftp.port, mode: 'FTP', path: '', ...LOGIN },
    source,
  );
  expect(reported.filter((event) => event.startsWith('DEBUG Acquired'))).toHaveLength(30);
  expect(new Set(records()).size).toBe(30);
});

describe('SFTP', () => {
  let sftp: Awaited<ReturnType<typeof sftpServer>>;
  let settings: Partial<SettingsOf<'SftpDownload'>>;
  const hostKeys = {
    find: (...of: [string, string]) => store.hostKey(...of),
    remember: (...of: [string, string, string]) => store.saveHostKey(...of),
  };
  const transport = new SftpDownload(egress, hostKeys);
  beforeAll(async () => {
    sftp = await sftpServer();
    const { user, privateKey, port, folder } = sftp;
    settings = { host: '127.0.0.1', port, user, privateKey, path: folder };
  });
  afterAll(() => sftp.stop());

  test('files are acquired by a key, and what is appended to them', async () => {
    const source = sourceOf({ deleteAfterAcquire: false });
    await mkdir(join(sftp.folder, 'below'));
    await writeFile(join(sftp.folder, 'below', 'a.csv'), `t,Level\n${lines(5_000)}`);
    const [reported] = await session(transport, settings, source);
    expect(reported).toMatch(/^DEBUG Acquired 'a\.csv' \[\d+ bytes\]$/);
    expect(records()).toHaveLength(5_000);
    bodies.splice(0);
    await appendFile(join(sftp.folder, 'below', 'a.csv'), lines(1, 5_000));
    await session(transport, settings, source);
    expect(records().map((record) => record.split(' ')[2])).toEqual(['5000']);
    source.files = { ...source.files, deleteAfterAcquire: true, readMode: 'ALL' };
    expect((await session(transport, settings, source))[0]).toMatch(/^DEBUG Acquired and deleted 'a\.csv'/);
    await expect(stat(join(sftp.folder, 'below', 'a.csv'))).rejects.toThrow('ENOENT');
  });

  test('what fails is said in words', async () => {
    const source = sourceOf();
    const { privateKey: _, ...open } = settings;
    expect(await failureOf(session(transport, { ...open, password: 'x' }, source))).toBe(
      'login was refused: check user, and password or privateKey',
    );
    expect(await failureOf(session(transport, { ...settings, privateKey: 'x' }, source))).toBe(
      'privateKey cannot be read',
    );
    expect(await failureOf(session(transport, { ...settings, path: '/nowhere' }, source))).toBe(
      'answered No such file',
    );
    expect(await failureOf(session(transport, { ...settings, host: '127.0.0.2' }, source))).toBe(REFUSED_ADDRESS);
  });

  test('the key of the settings, or the first one that was shown, is the only one', async () => {
    const source = sourceOf();
    const wrong = `SHA256:${'A'.repeat(43)}`;
    const mismatch = (shown: string, known: string) =>
      `the host shows the key ${shown}, not ${known}; hostKey of the transport says which one is right`;
    expect(await failureOf(session(transport, { ...settings, hostKey: wrong }, source))).toBe(
      mismatch(sftp.hostKey, wrong),
    );
    await session(transport, { ...settings, hostKey: sftp.hostKey }, source);
    await session(transport, settings, source);
    await sftp.changeHostKey();
    expect(await failureOf(session(transport, settings, source))).toMatch(/^the host shows the key SHA256:/);
    expect(await failureOf(session(transport, { ...settings, hostKey: sftp.hostKey }, source))).toMatch(
      /^the host shows/,
    );
    // Another source has seen no other key.
    await session(transport, settings, sourceOf());
  });
});

describe('HTTP', () => {
  const requests: IncomingMessage[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  let origin = '';
  const http = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => http.listen(0, '0.0.0.0', resolve));
    origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    http.closeAllConnections();
    http.close();
  });
  beforeEach(() => requests.splice(0));
  const renderUrl: RenderUrl = async ({ template }) => template.replace('{{day}}', '2024-01-01');
  const transport = new HttpDownload({ egress, renderUrl, now }, { limitMs: HANGS_AFTER_MS });
  /** Servers that never answer are asked with these limits. */
  const hasty = new HttpDownload({ egress, renderUrl, now }, { limitMs: 2_000 });
  const text =
    (body: string, headers: Record<string, string> = {}) =>
    (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200, headers).end(body);
  const sourceAt = (...urls: string[]) => sourceOf({ files: urls.map((match, n) => ({ entryId: `e${n}`, match })) });

  test('expressions, headers, user and password; a name from the address', async () => {
    answer = text(level(2));
    const source = sourceAt(`${origin.replace('//', '//us%20er:pa:ss@')}/data/{{day}}.csv?x=1#f`);
    const headers = [{ name: 'X-Key', value: 'k' }];
    expect(await session(transport, { headers }, source)).toEqual([acquired('2024-01-01.csv', level(2))]);
    expect(requests[0]?.url).toBe('/data/2024-01-01.csv?x=1');
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('us er:pa:ss').toString('base64')}`,
      'x-key': 'k',
    });
    expect(records()).toHaveLength(2);
  });

  test.each([
    ['ETag', { etag: '"v1"' }, 'if-none-match', '"v1"'],
    [
      'Last-Modified',
      { 'last-modified': 'Sun, 22 Nov 2026 20:00:00 GMT' },
      'if-modified-since',
      'Sun, 22 Nov 2026 20:00:00 GMT',
    ],
  ])('by %s a server says that nothing is new', async (_name, headers, condition, value) => {
    answer = (request, response) => {
      const isKnown = request.headers[condition] === value;
      response.writeHead(isKnown ? 304 : 200, headers as never).end(isKnown ? '' : level(2));
    };
    const source = sourceAt(`${origin}/a.csv`);
    await session(transport, {}, source);
    expect(await session(transport, {}, source)).toEqual(['DEBUG No new records']);
    // Another address has another version.
    source.files = { ...source.files, files: [{ entryId: 'e0', match: `${origin}/b.csv` }] };
    await session(transport, {}, source);
    expect(requests.map((request) => request.headers[condition])).toEqual([undefined, value, undefined]);
  });

  test('a file that has changed in the second of the answer is asked for without a condition: it may change again in it', async () => {
    const second = new Date().toUTCString();
    answer = (_, response) => void response.writeHead(200, { date: second, 'last-modified': second }).end(level(2));
    const source = sourceAt(`${origin}/a.csv`);
    await session(transport, {}, source);
    await session(transport, {}, source);
    expect(requests.map(({ headers }) => headers['if-modified-since'])).toEqual([undefined, undefined]);
  });

  test('records that are not later than the last one are left out, until acquireTime is set', async () => {
    const source = sourceAt(`${origin}/a.csv`);
    answer = text(level(3));
    await session(transport, {}, source);
    answer = text(`t,Level\n${lines(3, 2)}`);
    await session(transport, {}, source);
    expect(records().map((record) => record.split(' ')[2])).toEqual(['0', '1', '2', '3', '4']);
    source.files = { ...source.files, files: [{ entryId: 'e0', match: `${origin}/a.csv`, acquireTimeMs: 0 }] };
    bodies.splice(0);
    await session(transport, {}, source);
    expect(records()).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  test('redirects: followed, without what is meant for the first host; never to a refused one', async () => {
    const other = createServer((request, response) => {
      requests.push(request);
      response.end(level(1));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    closers.push(() => other.close());
    const { port } = other.address() as AddressInfo;
    const to = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(302, { location }).end();
    const source = sourceAt(`${origin.replace('//', '//u:p@')}/a.csv`);
    answer = to(`http://elsewhere.example.org:${port}/b.csv`);
    expect(await session(transport, { headers: [{ name: 'x-key', value: 'k' }] }, source)).toEqual([
      acquired('a.csv', level(1)),
    ]);
    expect([requests[1]?.headers.authorization, requests[1]?.headers['x-key']]).toEqual([undefined, undefined]);
    for (const [location, words] of [
      [`http://127.0.0.2:${port}/`, REFUSED_ADDRESS],
      ['http://169.254.169.254/latest/meta-data/', REFUSED_ADDRESS],
      ['http://[::1]/', REFUSED_ADDRESS],
      ['file:///etc/passwd', 'redirected to what is no http or https URL'],
      [`${origin}/again`, 'redirected more than 5 times'],
    ] as const) {
      answer = to(location);
      expect(await failureOf(session(transport, {}, source))).toBe(words);
    }
  });

  test('a name that leads to an address that is not allowed is not connected to', async () => {
    const strict = new HttpDownload({
      egress: new Egress({ allowed: [], resolve: async () => [{ address: '127.0.0.1', family: 4 }] }),
      renderUrl,
      now,
    });
    expect(await failureOf(session(strict, {}, sourceAt(`http://rebound.example.org:${new URL(origin).port}/`)))).toBe(
      REFUSED_ADDRESS,
    );
    expect(requests).toEqual([]);
  });

  test.each([
    ['without an entry that names a URL', [], 'files: has no entry whose match is the URL to fetch'],
    ['what is no URL', ['data.csv'], 'files[0].match: must be a URL such as https://example.org/data.csv'],
  ])('%s a session fails, and says which setting is wrong', async (_what, urls, words) => {
    const failure = await session(transport, {}, sourceAt(...urls)).catch((error: unknown) => error);
    // The same at every try.
    expect(failure).toBeInstanceOf(FinalFailure);
    expect(failure).toMatchObject({ message: words });
  });

  test.each(['Host', 'connection', 'Content-Length', 'Transfer-Encoding', 'Upgrade', 'Expect'])(
    'a stored header %s, which the request has by itself, is named and nothing is asked for',
    async (name) => {
      const headers = [{ name, value: 'internal.example.org' }];
      const failure = await session(transport, { headers }, sourceAt(`${origin}/a.csv`)).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(FinalFailure);
      expect(failure).toMatchObject({ message: `headers: ${name} must be removed, the request has it by itself` });
      expect(requests).toEqual([]);
    },
  );

  test('one address that fails does not hold up the others', async () => {
    answer = (request, response) =>
      request.url === '/b.csv' ? text(level(1))(request, response) : void response.writeHead(404).end();
    expect(await failureOf(session(transport, {}, sourceAt(`${origin}/a.csv`, `${origin}/b.csv`)))).toBe(
      "'a.csv' was answered 404 Not Found",
    );
    expect(records()).toHaveLength(1);
  });

  test('an answer that never comes, or never ends, ends in time', async () => {
    answer = () => undefined;
    expect(await failureOf(session(hasty, {}, sourceAt(`${origin}/a.csv`)))).toBe('no answer within 2 s');
    answer = (_, response) => void response.writeHead(200).write('t,Level\n');
    expect(await failureOf(session(hasty, {}, sourceAt(`${origin}/a.csv`)))).toBe('no answer within 2 s');
    expect(records()).toEqual([]);
    const { rowCount } = await database.query("SELECT FROM files WHERE place IS NULL AND file_name = 'a.csv'", []);
    expect(rowCount).toBe(0);
  });
});

test('a real file of a logger, appended to three times, is what it is as a whole', async () => {
  const ftp = await ftpServer({ mode: 'FTP', ...LOGIN });
  closers.push(() => ftp.stop());
  const file = join(import.meta.dirname, '../../../cli/data/usgs/DeadRun_stage_discharge_5min_qualifiers.csv');
  const whole = await readFile(file);
  const source = sourceOf();
  const settings = { host: '127.0.0.1', port: ftp.port, mode: 'FTP', path: '', ...LOGIN };
  const target = join(ftp.folder, 'gauge.csv');
  let from = 0;
  for (const to of [1_000, 70_000, 200_001, whole.length]) {
    await appendFile(target, whole.subarray(from, to));
    from = to;
    await session(new FtpDownload(egress), settings, source);
  }
  const got = new Map(records().map((record) => [record.slice(0, record.lastIndexOf(' ')), record]));
  const rows = whole
    .toString()
    .trim()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(',')
        .map((cell) => cell.replaceAll('"', '')),
    );
  const [labels = [], ...data] = rows;
  const time = labels.indexOf('datetimeUTC');
  const expected = data.flatMap((cells) =>
    cells.flatMap((cell, n) =>
      n === time || cell === '' || cell === 'NA'
        ? []
        : [`${labels[n]} ${new Date(`${cells[time]?.replace(' ', 'T').replace('Z', '')}Z`).toISOString()}`],
    ),
  );
  expect([...got.keys()].sort()).toEqual([...new Set(expected)].sort());
});
