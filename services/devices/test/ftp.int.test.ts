// Files by FTP (docs/reference/acquisition.md#uploads), from curl and Python's ftplib.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { until } from '@catchment/testkit';
import { acquisitionsBy } from './acquisition-counts.ts';
import {
  certFile,
  coming,
  database,
  eventsOf,
  fileOf,
  kept,
  openReplica,
  RawClient,
  ready,
  run,
  site,
  uploads,
  useUploads,
} from './upload-site.ts';

useUploads({ UPLOAD_MAX_FAILURES: '1000', UPLOAD_PAUSE_SECONDS: '4', UPLOAD_LOGIN_SECONDS: '4' });

const plain = () => uploads.ports.FtpUpload?.[0] ?? 0;
const implicit = () => uploads.ports.FtpUpload?.[1] ?? 0;
type Site = ReturnType<typeof site>;
const curl = (of: Site, file: string, url: string, ...more: string[]) =>
  run('curl', ['-sS', '--max-time', '20', '-u', `${of.key}:${of.password}`, '-T', file, ...more, url]);

test('curl uploads, with folders that it makes, also what needs several segments', async () => {
  const target = site('FtpUpload');
  const text = randomBytes(700_000).toString('hex');
  const file = await fileOf('a.csv', text);
  const { code } = await curl(
    target,
    file,
    `ftp://127.0.0.1:${plain()}/data/2024/station%207.csv`,
    '--ftp-create-dirs',
  );
  expect(code).toBe(0);
  expect(await ready(target, 1)).toEqual([{ name: 'station 7.csv', text, isHeld: false }]);
  expect((await eventsOf(target)).join()).toContain("Acquired 'station 7.csv' [1400000 bytes]");
  expect(await acquisitionsBy('FtpUpload')).toHaveProperty('ok');
});

test.each<[string, () => string, string[]]>([
  ['explicit TLS', () => `ftp://127.0.0.1:${plain()}/a.csv`, ['--ssl-reqd']],
  ['implicit TLS', () => `ftps://127.0.0.1:${implicit()}/a.csv`, []],
  ['PASV instead of EPSV', () => `ftp://127.0.0.1:${plain()}/a.csv`, ['--disable-epsv']],
])('curl uploads by %s', async (_how, url, more) => {
  const target = site('FtpUpload');
  const { code, text } = await curl(
    target,
    await fileOf('a.csv', 'x'.repeat(100_000)),
    url(),
    '--cacert',
    certFile,
    ...more,
  );
  expect([code, text]).toEqual([0, '']);
  expect((await ready(target, 1))[0]?.text.length).toBe(100_000);
});

test('several files in one session of ftplib, renamed, listed, asked for their sizes', async () => {
  const target = site('FtpUpload');
  const script = `
import ftplib, io, ssl
f = ftplib.FTP_TLS(context=ssl.create_default_context(cafile=${JSON.stringify(certFile)}))
f.connect('127.0.0.1', ${plain()}, 10); f.login(${JSON.stringify(target.key)}, ${JSON.stringify(target.password)}); f.prot_p()
print(f.nlst(), f.pwd())
f.mkd('logs'); f.cwd('logs')
f.storbinary('STOR a.csv.tmp', io.BytesIO(b'one'))
f.storlines('STOR b.dat', io.BytesIO(b'two\\nlines\\n'))
print(f.size('b.dat'))
f.rename('a.csv.tmp', 'a.csv')
f.storbinary('APPE c.csv', io.BytesIO(b'three'))
f.rename('c.csv', 'd.csv')
f.storbinary('STOR e.tmp', io.BytesIO(b'four'))
f.storbinary('STOR empty.csv', io.BytesIO(b''))
f.quit()
`;
  const { code, text } = await run('python3', ['-'], script);
  expect([code, text]).toEqual([0, '[] /\n12\n']);
  expect((await ready(target, 4)).map(({ name, text: content }) => [name, content])).toEqual([
    ['a.csv', 'one'],
    ['b.dat', 'two\r\nlines\r\n'],
    ['d.csv', 'three'],
    ['e.tmp', 'four'],
  ]);
});

test('a script of ftplib finds what it has sent, sets times and rights, and takes a file back', async () => {
  const target = site('FtpUpload');
  const script = `
import ftplib, io
f = ftplib.FTP(); f.connect('127.0.0.1', ${plain()}, 10); f.login(${JSON.stringify(target.key)}, ${JSON.stringify(target.password)})
f.cwd('incoming'); f.mkd('incoming'); print(f.pwd())
f.voidcmd('ALLO 3'); f.voidcmd('NOOP')
f.storbinary('STOR day.tmp', io.BytesIO(b'one'))
print(f.sendcmd('MFMT 20260305070809 day.tmp')); print(f.sendcmd('SITE CHMOD 644 day.tmp')[:3])
print(f.size('day.tmp'), f.sendcmd('MDTM day.tmp'))
f.rename('day.tmp', 'day.csv')
print(f.nlst(), f.nlst('day.csv'), [(n, a.get('size'), a['type']) for n, a in f.mlsd()])
f.retrlines('LIST -la')
f.storbinary('STOR try.txt', io.BytesIO(b'x')); f.delete('try.txt')
print(f.nlst())
print(f.storbinary('STOU', io.BytesIO(b'two')))
f.cwd('/'); print(f.nlst())
f.quit()
`;
  const { code, text } = await run('python3', ['-'], script);
  expect([code, ...text.trimEnd().split('\n')]).toEqual([
    0,
    '/incoming',
    '213 Modify=20260305070809; /incoming/day.tmp',
    '200',
    '3 213 20260305070809',
    "['day.csv', 'incoming'] ['day.csv'] [('day.csv', '3', 'file'), ('incoming', None, 'dir')]",
    expect.stringMatching(/^-rw-r--r-- 1 source source +3 .* day.csv$/),
    expect.stringMatching(/^drwxr-xr-x 1 source source +0 .* incoming$/),
    "['day.csv', 'incoming']",
    '226 Kept',
    "['incoming']",
  ]);
  expect((await ready(target, 2)).map(({ name, text: content }) => [name, content])).toEqual([
    ['day.csv', 'one'],
    [expect.stringMatching(/^upload-[0-9a-f-]{36}$/), 'two'],
  ]);
});

test('a file waits for its name while its client is there, and is kept from the answer on', async () => {
  const target = site('FtpUpload');
  const client = await loggedIn(target);
  await store(client, 'a.csv', 'x');
  expect(await kept(target)).toMatchObject([{ name: 'a.csv', isHeld: true }]);
  await store(client, 'b.tmp', 'y');
  expect((await kept(target)).map(({ isHeld }) => isHeld)).toEqual([false, true]);
  client.socket.destroy();
  await ready(target, 2);
});

test.each<[string, object, object, (of: Site) => Partial<Site>, RegExp, RegExp | undefined]>([
  ['a wrong password', {}, {}, () => ({ password: 'wrong' }), /530/, /Refused upload from 127.0.0.1: the password/],
  ['an unknown key', {}, {}, () => ({ key: 'nobody' }), /530/, undefined],
  ['another address', { ipWhitelist: ['192.0.2.0/24'] }, {}, () => ({}), /530/, /the address is not in ipWhitelist/],
  ['a disabled source', {}, { isEnabled: false }, () => ({}), /530/, /the source is disabled/],
  ['a source of loggers', {}, { class: 'source.data.CampbellPakBus' }, () => ({}), /530/, /takes no files/],
])('%s is refused', async (_what, fields, over, change, answer, event) => {
  const target = site('FtpUpload', fields, over);
  const { code, text } = await curl(
    { ...target, ...change(target) },
    await fileOf('a.csv', 'x'),
    `ftp://127.0.0.1:${plain()}/a.csv`,
  );
  expect(code).toBe(67);
  expect(text).toMatch(answer);
  expect(await kept(target)).toEqual([]);
  if (event) expect((await eventsOf(target)).join()).toMatch(event);
});

async function loggedIn(target: Site): Promise<RawClient> {
  const client = new RawClient(plain());
  await until(() => client.text.startsWith('220'));
  await client.say(`USER ${target.key}`, /^331/);
  await client.say(`PASS ${target.password}`, /^230/);
  return client;
}
const dataPort = (text: string) => Number(/\(\|\|\|(\d+)\|\)/.exec(text)?.[1]);
async function store(client: RawClient, name: string, bytes: string | Buffer) {
  const port = dataPort(await client.say('EPSV', /^229.*\r\n/));
  const data = connect({ host: '127.0.0.1', port });
  await client.say(`STOR ${name}`, /150/);
  data.end(bytes);
  await until(() => /^226/m.test(client.text), { what: `226, got ${client.text}` });
}

test('a file whose connection breaks, pauses or is taken back is not kept', async () => {
  const target = site('FtpUpload');
  const client = await loggedIn(target);
  for (const how of ['reset', 'pause', 'ABOR']) {
    const data = connect({ host: '127.0.0.1', port: dataPort(await client.say('EPSV', /^229.*\r\n/)) });
    data.on('error', () => {});
    await client.say('STOR a.csv', /150/);
    data.write('x'.repeat(300_000));
    await until(async () => (await coming(target)) === 1);
    if (how === 'reset') data.resetAndDestroy();
    if (how === 'ABOR') client.socket.write('\xff\xf4\xff\xf2ABOR\r\n', 'latin1');
    await until(() => /^426/m.test(client.text), { what: `426 after ${how}, got ${client.text}` });
    if (how === 'ABOR') await until(() => /^226/m.test(client.text));
    data.destroy();
  }
  await until(async () => (await coming(target)) === 0);
  expect(await kept(target)).toEqual([]);
  await store(client, 'a.csv', 'whole');
  client.socket.end();
  expect(await ready(target, 1)).toMatchObject([{ text: 'whole' }]);
});

test('a client that leaves in the middle of a file leaves nothing', async () => {
  const target = site('FtpUpload');
  const client = await loggedIn(target);
  const data = connect({ host: '127.0.0.1', port: dataPort(await client.say('EPSV', /^229.*\r\n/)) });
  data.on('error', () => {});
  await client.say('STOR a.csv', /150/);
  data.write('x'.repeat(300_000));
  await until(async () => (await coming(target)) === 1);
  client.socket.destroy();
  await until(async () => (await coming(target)) === 0);
  data.destroy();
});

test('a source has one client at a time; another one takes the place of one that is silent', async () => {
  const target = site('FtpUpload');
  const first = await loggedIn(target);
  const second = new RawClient(plain());
  await until(() => second.text.startsWith('220'));
  await second.say(`USER ${target.key}`, /^331/);
  await second.say(`PASS ${target.password}`, /^421 Another client/);
  await second.closed();
  await first.say('QUIT', /^221/);
  await first.closed();
  const third = await loggedIn(target);
  third.socket.destroy();
});

test('so it is over replicas: the place is free when its client leaves, or its process has died', async () => {
  const target = site('FtpUpload');
  const replica = await openReplica();
  const elsewhere = replica.ports.FtpUpload?.[0] ?? 0;
  const tried = async (at: number) => {
    const client = new RawClient(at);
    await until(() => client.text.startsWith('220'));
    client.socket.write(`USER ${target.key}\r\nPASS ${target.password}\r\n`);
    const [answer] = await until(() => /^(230|421) .*/m.exec(client.text));
    return { client, answer };
  };
  const first = await tried(plain());
  expect(first.answer).toMatch(/^230/);
  expect((await tried(elsewhere)).answer).toMatch(/^421 Another client of this source is connected/);
  await first.client.say('QUIT', /^221/);
  await first.client.closed();
  const second = await tried(elsewhere);
  expect(second.answer).toMatch(/^230/);
  const third = await until(
    async () => {
      // A process that has died leaves this behind; this one lives, and may renew its place meanwhile.
      await database.query("UPDATE upload_places SET until_time = now() - interval '1 second' WHERE source_id = $1", [
        target.source.nodeId,
      ]);
      const next = await tried(plain());
      return next.answer?.startsWith('230') && next;
    },
    { what: 'another client has the place' },
  );
  await until(() => second.client.text.includes('421 Another client of this source has connected'), {
    what: 'the older one is ended, should it be there still',
  });
  third.client.socket.destroy();
  await replica.close();
});

test('what a file server might do beyond uploads is refused in words', async () => {
  const target = site('FtpUpload');
  const client = await loggedIn(target);
  await client.say('PORT 192,0,2,1,0,22', /^502/);
  await client.say('EPRT |1|192.0.2.1|22|', /^502/);
  await client.say('RETR a.csv', /^550/);
  await client.say('DELE a.csv', /^550/);
  await client.say('REST 100', /^502/);
  await client.say('STOR ..', /^553/);
  await client.say('STOR a.csv', /^425/);
  await client.say('RNFR a.csv', /^550/);
  await client.say('WHAT', /^502/);
  await client.say('SITE EXEC', /^202/);
  client.socket.destroy();
});

test.each<[string, string | Buffer]>([
  ['random bytes', randomBytes(64 * 1024)],
  ['a line without an end', 'A'.repeat(200_000)],
  ['a long line', `USER ${'x'.repeat(5_000)}\r\n`],
  ['a flood of commands', 'NOOP\r\n'.repeat(20_000)],
  ['the beginning of TLS', Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
  ['HTTP', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['nothing', ''],
])('%s ends its connection, and nobody else’s', async (_what, bytes) => {
  const target = site('FtpUpload');
  const other = await loggedIn(target);
  const clients = [plain(), implicit()].map((port) => new RawClient(port));
  for (const client of clients) client.socket.write(bytes);
  for (const client of clients) await client.closed();
  await other.say('NOOP', /^200/);
  await store(other, 'a.csv', 'served');
  other.socket.end();
  await ready(target, 1);
});

test('bytes of somebody else on the data port do not become the file', async () => {
  const target = site('FtpUpload');
  const client = await loggedIn(target);
  const port = dataPort(await client.say('EPSV', /^229.*\r\n/));
  const stranger = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.9' });
  stranger.on('error', () => {});
  stranger.write('mine');
  await until(() => stranger.closed);
  const data = connect({ host: '127.0.0.1', port });
  await client.say('STOR a.csv', /150/);
  data.end('own');
  await until(() => /^226/m.test(client.text));
  client.socket.end();
  expect(await ready(target, 1)).toMatchObject([{ text: 'own' }]);
});
