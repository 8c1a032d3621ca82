// Files by SFTP (docs/reference/acquisition.md#uploads), from the client of OpenSSH and from curl.
import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { until } from '@catchment/testkit';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { acquisitionsBy } from './acquisition-counts.ts';
import { coming, eventsOf, fileOf, kept, RawClient, ready, run, site, uploads, useUploads } from './upload-site.ts';

useUploads({ UPLOAD_MAX_FAILURES: '1000', UPLOAD_PAUSE_SECONDS: '3', UPLOAD_LOGIN_SECONDS: '2' });

const port = () => uploads.ports.SftpUpload?.[0] ?? 0;
type Site = ReturnType<typeof site>;

/** Runs commands of OpenSSH's sftp, which asks a program for the password. */
async function sftp(of: Site, commands: string, password = of.password) {
  const ask = await fileOf('ask.sh', '#!/bin/sh\necho "$SFTP_TEST_PASSWORD"\n');
  await chmod(ask, 0o700);
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
    'NumberOfPasswordPrompts=1',
  ];
  const batch = await fileOf('batch', commands);
  // Not -b, which asks for no password.
  const say = `SFTP_TEST_PASSWORD='${password}' SSH_ASKPASS=${ask} SSH_ASKPASS_REQUIRE=force sftp ${options.map((one) => `-o ${one}`).join(' ')} -P ${port()} ${of.key}@127.0.0.1 < ${batch}`;
  return run('setsid', ['-w', 'sh', '-c', say]);
}

test('the sftp of OpenSSH uploads, also what needs several segments, into folders, and renames', async () => {
  const own = site('SftpUpload');
  const text = randomBytes(600_000).toString('hex');
  const file = await fileOf('big.csv', text);
  const small = await fileOf('small.csv', 'x');
  const { text: said } = await sftp(
    own,
    `ls\nmkdir logs\ncd logs\nput ${file} big.csv\nput ${small} a.csv.part\nrename a.csv.part a.csv\nput ${small} b.tmp\nbye\n`,
  );
  const files = await ready(own, 3).catch(() => said);
  expect(files).toEqual([
    { name: 'big.csv', text, isHeld: false },
    { name: 'a.csv', text: 'x', isHeld: false },
    { name: 'b.tmp', text: 'x', isHeld: false },
  ]);
  expect(await acquisitionsBy('SftpUpload')).toHaveProperty('ok');
});

test('a wrong password, an unknown key and another address get in nowhere', async () => {
  const own = site('SftpUpload');
  const file = await fileOf('a.csv', 'x');
  expect((await sftp(own, `put ${file}\n`, 'wrong')).code).not.toBe(0);
  expect((await sftp({ ...own, key: 'nobody' }, `put ${file}\n`)).code).not.toBe(0);
  const elsewhere = site('SftpUpload', { ipWhitelist: ['192.0.2.0/24'] });
  expect((await sftp(elsewhere, `put ${file}\n`)).code).not.toBe(0);
  expect([await kept(own), await kept(elsewhere)]).toEqual([[], []]);
  expect((await eventsOf(elsewhere)).join()).toMatch(/the address is not in ipWhitelist/);
});

/** A client of the library, for what OpenSSH's does not do. */
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
  const own = site('SftpUpload');
  const { client, channel } = await loggedIn(own);
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
  const own = site('SftpUpload');
  const { client, channel } = await loggedIn(own);
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
  expect(await behind).toBe('done');
  const left = await open('/left.csv');
  expect(await write(left, 'abc', 0)).toBe('done');
  await until(async () => (await coming(own)) === 1);
  client.destroy();
  await until(async () => (await coming(own)) === 0);
  expect(await ready(own, 1)).toMatchObject([{ name: 'a.csv', text: 'abcdefghi' }]);
});

test('a client that sends all without waiting for answers is read no faster than its file is stored', async () => {
  const own = site('SftpUpload');
  const { client, channel } = await loggedIn(own);
  // As many bytes as may come early: a client's threads read its file in any order.
  const text = randomBytes(2 * 1024 * 1024).toString('hex');
  const file = await fileOf('fast.csv', text);
  expect(await done((said) => channel.fastPut(file, '/fast.csv', said))).toBe('done');
  client.end();
  expect((await ready(own, 1))[0]?.text.length).toBe(text.length);
});

test('a file that pauses is given up, and its client told', async () => {
  const own = site('SftpUpload');
  const { client, channel } = await loggedIn(own);
  const handle = await new Promise<Buffer>((resolve) =>
    channel.open('/a.csv', 'w', (_error, opened) => resolve(opened)),
  );
  await until(async () => (await coming(own)) === 1);
  await until(async () => (await coming(own)) === 0);
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
  const own = site('SftpUpload');
  const { client, channel } = await loggedIn(own);
  const raw = new RawClient(port());
  raw.socket.write(bytes);
  await raw.closed();
  expect(await done((said) => channel.writeFile('/a.csv', 'served', said))).toBe('done');
  client.end();
  await ready(own, 1);
});

test('random SFTP requests of a client that is logged in are answered or end its session', async () => {
  const own = site('SftpUpload');
  const client = new ssh2.Client();
  client.on('error', () => {});
  await new Promise((resolve) => {
    client.on('ready', () => resolve(undefined));
    client.connect({ host: '127.0.0.1', port: port(), username: own.key, password: own.password });
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
