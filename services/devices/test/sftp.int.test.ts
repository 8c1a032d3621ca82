// Files by SFTP (docs/reference/acquisition.md#uploads), from the client of OpenSSH and from curl.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@catchment/testkit';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { acquisitionsBy } from './acquisition-counts.ts';
import {
  coming,
  database,
  eventsOf,
  fileOf,
  folder,
  kept,
  RawClient,
  ready,
  run,
  site,
  uploads,
  useUploads,
} from './upload-site.ts';

useUploads({ UPLOAD_MAX_FAILURES: '1000', UPLOAD_PAUSE_SECONDS: '3', UPLOAD_LOGIN_SECONDS: '4' });

const port = () => uploads.ports.SftpUpload?.[0] ?? 0;
type Site = ReturnType<typeof site>;

/** Runs a program of OpenSSH, which asks another one for the password. */
async function openSsh(program: string, args: string, password: string) {
  const ask = await fileOf('ask.sh', '#!/bin/sh\necho "$SFTP_TEST_PASSWORD"\n');
  await chmod(ask, 0o700);
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
    'NumberOfPasswordPrompts=1',
  ];
  const say = `SFTP_TEST_PASSWORD='${password}' SSH_ASKPASS=${ask} SSH_ASKPASS_REQUIRE=force ${program} ${options.map((option) => `-o ${option}`).join(' ')} -P ${port()} ${args}`;
  return run('setsid', ['-w', 'sh', '-c', say]);
}

/** Runs commands: not with -b, which asks for no password. */
const sftp = async (of: Site, commands: string, password = of.password) =>
  openSsh('sftp', `${of.key}@127.0.0.1 < ${await fileOf('batch', commands)}`, password);
/** Runs commands as a script does, which ends with the first one that fails. */
const sftpScript = async (of: Site, commands: string) =>
  openSsh('sftp', `-o BatchMode=no -b ${await fileOf('batch', commands)} ${of.key}@127.0.0.1`, of.password);

test('the sftp of OpenSSH uploads, also what needs several segments, into folders, and renames', async () => {
  const target = site('SftpUpload');
  const text = randomBytes(600_000).toString('hex');
  const file = await fileOf('big.csv', text);
  const small = await fileOf('small.csv', 'x');
  const { text: said } = await sftp(
    target,
    `ls\nmkdir logs\ncd logs\nput ${file} big.csv\nput ${small} a.csv.part\nrename a.csv.part a.csv\nput ${small} b.tmp\nbye\n`,
  );
  const files = await ready(target, 3).catch(() => said);
  expect(files).toEqual([
    { name: 'big.csv', text, isHeld: false },
    { name: 'a.csv', text: 'x', isHeld: false },
    { name: 'b.tmp', text: 'x', isHeld: false },
  ]);
  expect(await acquisitionsBy('SftpUpload')).toHaveProperty('ok');
});

test('a script of sftp goes into a folder before it makes it, keeps times, looks at sizes, renames, and takes a file back', async () => {
  const target = site('SftpUpload');
  const file = await fileOf('day.csv', 'x'.repeat(40));
  const { text: said, code } = await sftpScript(
    target,
    [
      'cd incoming',
      'mkdir incoming',
      'pwd',
      `put -p ${file} day.tmp`,
      'ls -l day.tmp',
      'chmod 644 day.tmp',
      '-rm day.csv',
      'rename day.tmp day.csv',
      'ls -l',
      `put ${file} try.txt`,
      'rm try.txt',
      `-reput ${file} new.csv`,
      'cd ../incoming',
      '-ls nothing*',
    ].join('\n'),
  );
  expect([said, code]).toEqual([expect.stringMatching(/incoming\n.*\b40 [^\n]* day\.tmp.*\b40 [^\n]* day\.csv/s), 0]);
  expect(await ready(target, 1)).toEqual([{ name: 'day.csv', text: 'x'.repeat(40), isHeld: false }]);
});

test.each(['scp', 'scp -O'])(
  '%s ends with 0 when the files are kept, under the names that they have there',
  async (program) => {
    const target = site('SftpUpload');
    const [first, second] = [
      await fileOf('one.csv', 'one'),
      await fileOf('two.csv', randomBytes(300_000).toString('hex')),
    ];
    const at = (path: string) => `${target.key}@127.0.0.1:${path}`;
    const codes: unknown[] = [];
    for (const args of [
      `${first} ${at('')}`,
      `-p ${first} ${second} ${at('incoming')}`,
      `${first} ${at('logs/renamed.csv')}`,
    ])
      codes.push(Object.values(await openSsh(program, args, target.password)));
    expect(codes).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect((await ready(target, 4)).map(({ name, text }) => [name, text.length])).toEqual([
      ['one.csv', 3],
      ['one.csv', 3],
      ['two.csv', 600_000],
      ['renamed.csv', 3],
    ]);
  },
);

test('curl uploads by the protocol of scp, and says nothing at the end of its file', async () => {
  const target = site('SftpUpload');
  const file = await fileOf('a.csv', 'x'.repeat(100_000));
  const url = `scp://127.0.0.1:${port()}/incoming/day.csv`;
  const { code, text } = await run('curl', [
    '-sSk',
    '--max-time',
    '20',
    '-u',
    `${target.key}:${target.password}`,
    '-T',
    file,
    url,
  ]);
  // This curl was built without it.
  if (/not supported|disabled/.test(text)) return;
  expect([code, text]).toEqual([0, '']);
  expect(await ready(target, 1)).toEqual([{ name: 'day.csv', text: 'x'.repeat(100_000), isHeld: false }]);
});

test('scp -O of a folder sends its files; what is too large is reported, and the others are kept', async () => {
  const target = site('SftpUpload');
  const run = (args: string) => openSsh('scp -O', args, target.password);
  const day = await fileOf('day.csv', 'x');
  const large = await fileOf('large.csv', '');
  await truncate(large, 101 * 1024 * 1024);
  const both = await run(`${large} ${day} ${target.key}@127.0.0.1:`);
  expect([both.code, both.text]).toEqual([1, expect.stringContaining('large.csv: Too large: at most 100 MB a file')]);
  await mkdir(join(folder, 'logs'), { recursive: true });
  await fileOf('logs/a.csv', 'a');
  expect(await run(`-r ${join(folder, 'logs')} ${target.key}@127.0.0.1:`)).toEqual({ code: 0, text: '' });
  expect((await ready(target, 2)).map(({ name }) => name)).toEqual(['day.csv', 'a.csv']);
  const fetched = await run(`${target.key}@127.0.0.1:day.csv ${folder}/fetched.csv`);
  expect([fetched.code, fetched.text]).toEqual([1, expect.stringContaining('Files cannot be fetched')]);
});

test('a wrong password, an unknown key and another address get in nowhere', async () => {
  const target = site('SftpUpload');
  const file = await fileOf('a.csv', 'x');
  expect((await sftp(target, `put ${file}\n`, 'wrong')).code).not.toBe(0);
  expect((await sftp({ ...target, key: 'nobody' }, `put ${file}\n`)).code).not.toBe(0);
  const elsewhere = site('SftpUpload', { ipWhitelist: ['192.0.2.0/24'] });
  expect((await sftp(elsewhere, `put ${file}\n`)).code).not.toBe(0);
  expect([await kept(target), await kept(elsewhere)]).toEqual([[], []]);
  expect((await eventsOf(elsewhere)).join()).toMatch(/the address is not in ipWhitelist/);
});

/** Connects a client of the library, for what OpenSSH's does not do. */
async function loggedIn(of: Site) {
  const client = new ssh2.Client();
  client.on('error', () => {});
  await new Promise((resolve, reject) => {
    client.on('ready', () => resolve(undefined)).on('error', reject);
    client.connect({ host: '127.0.0.1', port: port(), username: of.key, password: of.password });
  });
  const channel = await new Promise<SFTPWrapper>((resolve, reject) =>
    client.sftp((error, opened) => (error ? reject(error) : resolve(opened))),
  );
  return { client, channel };
}
const done = (work: (callback: (error?: Error | null) => void) => unknown) =>
  new Promise<string>((resolve) => work((error) => resolve(error ? error.message : 'done')));

test('what a file server might do beyond uploads is refused', async () => {
  const target = site('SftpUpload');
  const { client, channel } = await loggedIn(target);
  const answers = await Promise.all([
    done((said) => channel.open('/etc/passwd', 'r', said)),
    done((said) => channel.unlink('/a.csv', said)),
    done((said) => channel.rename('/a.csv', '/b.csv', said)),
    done((said) => channel.symlink('/a', '/b', said)),
    done((said) => channel.open('/..', 'w', said)),
    done((said) => client.exec('id', said)),
    done((said) => client.shell(said)),
    done((said) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, said)),
  ]);
  expect(answers.filter((answer) => answer === 'done')).toEqual([]);
  client.end();
});

test('parts may come before those in front of them, one file at a time; a client that leaves it leaves nothing', async () => {
  const target = site('SftpUpload');
  const { client, channel } = await loggedIn(target);
  const open = (path: string) =>
    new Promise<Buffer>((resolve) => channel.open(path, 'w', (_error, opened) => resolve(opened)));
  const write = (handle: Buffer, text: string, at: number) =>
    done((said) => channel.write(handle, Buffer.from(text), 0, text.length, at, said));
  const close = (handle: Buffer) => done((said) => channel.close(handle, said));
  const first = await open('/a.csv');
  expect(await done((said) => channel.open('/b.csv', 'w', said))).toMatch('One file at a time');
  const parts = ['abc', 'def', 'ghi'].map((text, index) => [text, index * 3] as const);
  expect(await Promise.all(parts.reverse().map(([text, at]) => write(first, text, at)))).toEqual([
    'done',
    'done',
    'done',
  ]);
  expect(await write(first, 'x', 2)).toMatch('in order');
  expect(await close(first)).toBe('done');
  const gap = await open('/gap.csv');
  const behind = write(gap, 'x', 5);
  expect(await close(gap)).toMatch('did not arrive');
  expect(await close(gap)).toMatch('did not arrive');
  expect(await behind).toBe('done');
  const left = await open('/left.csv');
  expect(await write(left, 'abc', 0)).toBe('done');
  await until(async () => (await coming(target)) === 1);
  client.destroy();
  await until(async () => (await coming(target)) === 0);
  expect(await ready(target, 1)).toMatchObject([{ name: 'a.csv', text: 'abcdefghi' }]);
});

test('a client that sends all without waiting for answers is read no faster than its file is stored', async () => {
  const target = site('SftpUpload');
  const { client, channel } = await loggedIn(target);
  // A client's threads read its file in any order.
  const text = randomBytes(8 * 1024 * 1024).toString('hex');
  const file = await fileOf('fast.csv', text);
  expect(await done((said) => channel.fastPut(file, '/fast.csv', said))).toBe('done');
  client.end();
  expect((await ready(target, 1))[0]?.text === text).toBe(true);
});

test('a client with 64 requests under way whose first part comes last runs ahead no further, and its file is whole', async () => {
  const target = site('SftpUpload');
  const { client, channel } = await loggedIn(target);
  const handle = await new Promise<Buffer>((resolve) =>
    channel.open('/a.csv', 'w', (_error, opened) => resolve(opened)),
  );
  const [part, parts, underWay] = [31_000, 400, 64];
  const bytes = randomBytes(part * parts);
  const isSent = new Set<number>([0]);
  const answers: string[] = [];
  await new Promise<void>((resolve) => {
    const send = (index: number) => {
      isSent.add(index);
      channel.write(handle, bytes, index * part, Math.min(part, bytes.length - index * part), index * part, (error) => {
        answers.push(error ? error.message : 'done');
        if (isSent.size < parts) send(isSent.size);
        else if (answers.length === parts) resolve();
      });
    };
    for (let index = 1; index < underWay; index += 1) send(index);
    // Requests are looked at one after the other: when nothing more was sent between two of these, the other 63 wait for answers.
    const look = (before: number) =>
      channel.stat('/a.csv', () => (isSent.size === before ? send(0) : look(isSent.size)));
    look(0);
  });
  expect(new Set(answers)).toEqual(new Set(['done']));
  expect(await done((said) => channel.close(handle, said))).toBe('done');
  client.end();
  const { rows } = await database.query<{ bytes: Buffer }>(
    "SELECT string_agg(s.bytes, ''::bytea ORDER BY segment) AS bytes FROM file_segments s JOIN files f USING (file_id) WHERE source_id = $1",
    [target.source.nodeId],
  );
  expect(rows[0]?.bytes.equals(bytes)).toBe(true);
});

test('a file that pauses is given up, and its client hears of it', async () => {
  const target = site('SftpUpload');
  const { client, channel } = await loggedIn(target);
  const handle = await new Promise<Buffer>((resolve) =>
    channel.open('/a.csv', 'w', (_error, opened) => resolve(opened)),
  );
  await until(async () => (await coming(target)) === 1);
  await until(async () => (await coming(target)) === 0);
  expect(await done((said) => channel.write(handle, Buffer.from('abc'), 0, 3, 0, said))).not.toBe('done');
  client.end();
});

test.each<[string, string | Buffer]>([
  ['random bytes', randomBytes(64 * 1024)],
  ['a long greeting', `SSH-2.0-${'x'.repeat(100_000)}`],
  ['a greeting and random bytes', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), randomBytes(50_000)])],
  ['half a packet', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.from([0, 0, 255, 255, 1])])],
  ['a huge packet', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.from([127, 255, 255, 255, 1])])],
  ['nothing', ''],
])('%s ends its connection, and nobody else’s', async (_what, bytes) => {
  const target = site('SftpUpload');
  const { client, channel } = await loggedIn(target);
  const raw = new RawClient(port());
  raw.socket.write(bytes);
  await raw.closed();
  expect(await done((said) => channel.writeFile('/a.csv', 'served', said))).toBe('done');
  client.end();
  await ready(target, 1);
});

test('random SFTP requests of a client that is logged in are answered or end its session', async () => {
  const target = site('SftpUpload');
  const client = new ssh2.Client();
  client.on('error', () => {});
  await new Promise((resolve) => {
    client.on('ready', () => resolve(undefined));
    client.connect({ host: '127.0.0.1', port: port(), username: target.key, password: target.password });
  });
  const gone = new Promise((resolve) => client.on('close', () => resolve(undefined)));
  client.subsys('sftp', (_error, stream) => {
    stream.on('error', () => {});
    stream.write(Buffer.concat([Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]), randomBytes(100_000)]));
    stream.on('close', () => client.end());
    stream.resume();
  });
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 500))]);
  client.destroy();
  const { client: other, channel } = await loggedIn(site('SftpUpload'));
  expect(await done((said) => channel.writeFile('/a.csv', 'served', said))).toBe('done');
  other.end();
});
