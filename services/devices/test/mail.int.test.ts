// Files come by e-mail (docs/reference/acquisition.md#e-mail), from Python's smtplib and raw.
import { randomBytes } from 'node:crypto';
import { until } from '@catchment/testkit';
import { FileWorker } from '../src/files/usecases/file-worker.ts';
import type { FileWrite } from '../src/sources/usecases/ports.ts';
import { acquisitionsBy } from './acquisition-counts.ts';
import {
  coming,
  eventsOf,
  kept,
  log,
  parsers,
  RawClient,
  ready,
  run,
  site,
  store,
  uploads,
  useUploads,
} from './upload-site.ts';

useUploads({ UPLOAD_MAX_FAILURES: '1000', UPLOAD_IDLE_SECONDS: '4' });

const port = () => uploads.ports.Email?.[0] ?? 0;
type Site = ReturnType<typeof site>;
const addressOf = ({ key }: Site) => `upload+${key}@mail.test`;

/** Sends a mail with smtplib. @returns what it says: `sent`, or the refusal */
async function send(
  to: string,
  {
    files = [],
    text = 'see attachment',
    html,
    from = 'logger@site.test',
    tls = false,
    more = '',
  }: {
    files?: readonly (readonly [name: string, content: string])[];
    text?: string;
    html?: string;
    from?: string;
    tls?: boolean;
    more?: string;
  } = {},
): Promise<string> {
  const script = `
import smtplib, ssl
from email.message import EmailMessage
m = EmailMessage(); m['From'] = ${JSON.stringify(from)}; m['To'] = ${JSON.stringify(to)}; m['Subject'] = 'Höhe'
m.set_content(${JSON.stringify(text)})
${html === undefined ? '' : `m.add_alternative(${JSON.stringify(html)}, subtype='html')`}
for name, content in ${JSON.stringify(files)}: m.add_attachment(content.encode(), maintype='application', subtype='octet-stream', filename=name)
s = smtplib.SMTP('127.0.0.1', ${port()}, timeout=20)
${tls ? 'c = ssl.create_default_context(); c.check_hostname = False; c.verify_mode = ssl.CERT_NONE; s.starttls(context=c)' : ''}
try:
    ${more || "s.send_message(m, to_addrs=[m['To']]); print('sent')"}
except smtplib.SMTPException as e: print(e)
s.quit()
`;
  return (await run('python3', ['-'], script)).text.trim();
}

test.each([false, true])('attachments become files of the source, all of them or none (TLS: %s)', async (tls) => {
  const target = site('Email');
  const big = randomBytes(400_000).toString('hex');
  const files = [
    ['Höhe.csv', 'a,b\n'],
    ['b.csv', big],
    ['', 'unnamed'],
  ] as const;
  expect(await send(addressOf(target).toUpperCase(), { tls, files })).toBe('sent');
  expect(await ready(target, 3)).toMatchObject([
    { name: 'Höhe.csv', text: 'a,b\n' },
    { name: 'b.csv', text: big },
    { text: 'unnamed' },
  ]);
  expect(await acquisitionsBy('Email')).toHaveProperty('ok');
});

test('a mail that is sent again brings its files once; another content, or another source, counts as new', async () => {
  const [target, other] = [site('Email'), site('Email')];
  const sends = (count: number, id = '<1@site.test>') =>
    `m['Message-ID'] = '${id}'; [s.send_message(m, to_addrs=[m['To']]) for _ in range(${count})]; print('sent')`;
  const files = [['a.csv', 'a,b\n']] as const;
  expect(await send(addressOf(target), { files, more: sends(3) })).toBe('sent');
  expect(await kept(target)).toHaveLength(1);
  expect(await send(addressOf(target), { files, more: sends(1) })).toBe('sent');
  expect([(await kept(target)).length, await coming(target)]).toEqual([1, 0]);
  // The device gives all its mails one id.
  await send(addressOf(target), { files: [['a.csv', 'c,d\n']], more: sends(1) });
  await send(addressOf(target), { files, more: sends(1, '<2@site.test>') });
  await send(addressOf(other), { files, more: sends(1) });
  expect([(await kept(target)).length, (await kept(other)).length]).toEqual([3, 1]);
  expect((await eventsOf(target)).filter((text) => text.includes("Acquired 'a.csv'"))).toHaveLength(3);
});

test('a parser of windows-1252 reads an attachment as it came, and the text of a mail as it was decoded', async () => {
  const fields = { dataFrom: 'ATTACHMENTS', processBody: 'PLAIN_TEXT' };
  const target = site('Email', fields, { class: 'source.data.TextParser' });
  parsers.set(target.source.nodeId, {
    encoding: 'windows-1252',
    delimiter: ';',
    labelsRow: 1,
    columns: [
      { index: 0, type: 'RECORD_TIME' },
      { index: 1, type: 'TEXT', series: 'state' },
    ],
  });
  const more = `m.add_attachment('t;Höhe\\n2024-05-01 00:00;geöffnet, 5 °\\n'.encode('cp1252'), maintype='text', subtype='csv', filename='a.csv'); s.send_message(m, to_addrs=[m['To']]); print('sent')`;
  expect(await send(addressOf(target), { text: 't;Höhe\n2024-05-02 00:00;geschlossen, 7 °\n', more })).toBe('sent');
  expect((await ready(target, 2)).map(({ name }) => name).sort()).toEqual(['a.csv', 'body.txt']);
  const values: unknown[] = [];
  const writeFile = async ({ body }: FileWrite) => {
    const { data } = JSON.parse(Buffer.from(body).toString()) as { data: { f: Record<string, { v: unknown }> }[] };
    values.push(...data.flatMap(({ f }) => Object.values(f).map(({ v }) => v)));
    return data.length;
  };
  const worker = new FileWorker({
    store,
    historic: { writeFile, reportFault: async () => undefined },
    log,
    now: Date.now,
  });
  worker.wake();
  await until(() => values.length === 2, { what: 'both files are read' });
  await worker.stop();
  expect(values.sort()).toEqual(['geschlossen, 7 °', 'geöffnet, 5 °']);
});

test('with dataFrom BODY the text is the file', async () => {
  const target = site('Email', { dataFrom: 'BODY' });
  expect(await send(addressOf(target), { text: 't,a\n2024-01-01 00:00,1\n', files: [['a.csv', 'x']] })).toBe('sent');
  expect(await ready(target, 1)).toMatchObject([{ name: 'body.txt', text: 't,a\n2024-01-01 00:00,1\n' }]);
});

test('an attachment source keeps the text of a mail too, as it wants', async () => {
  const target = site('Email', { dataFrom: 'ATTACHMENTS', processBody: 'HTML' }, { class: 'source.data.TextParser' });
  await send(addressOf(target), { html: '<b>x</b>', files: [['a.jpg', 'x']] });
  expect((await ready(target, 2)).map(({ name }) => name)).toEqual(['a.jpg', 'body.html']);
});

test.each<[string, object, object, (of: Site) => string, Parameters<typeof send>[1], RegExp, RegExp | undefined]>([
  ['of an unknown key', {}, {}, () => 'upload+nobody@mail.test', {}, /550.*No source has this address/, undefined],
  ['for another domain', {}, {}, () => 'somebody@elsewhere.test', {}, /550.*No such mailbox/, undefined],
  [
    'without attachment',
    {},
    {},
    addressOf,
    {},
    /554.*no attachment/,
    /Refused e-mail from logger@site.test: The e-mail has no att/,
  ],
  [
    'of another sender',
    { senderFilter: '@other.test' },
    {},
    addressOf,
    { files: [['a.csv', 'x']] },
    /550.*senderFilter/,
    /does not match senderFilter/,
  ],
  [
    'for a disabled source',
    {},
    { isEnabled: false },
    addressOf,
    {},
    /550.*the source is disabled/,
    /the source is disabled/,
  ],
])('a mail %s is refused with its reason', async (_what, fields, over, to, mail, answer, event) => {
  const target = site('Email', fields, over);
  const before = await acquisitionsBy('Email');
  expect(await send(to(target), mail)).toMatch(answer);
  // Mails of strangers, and mails for a source that takes nothing, are no acquisition.
  const isCounted = /attachment|senderFilter/.test(answer.source);
  expect(((await acquisitionsBy('Email')).refused ?? 0) - (before.refused ?? 0)).toBe(isCounted ? 1 : 0);
  expect([await kept(target), await coming(target)]).toEqual([[], 0]);
  if (event) expect((await eventsOf(target)).join()).toMatch(event);
});

test('a sender that is allowed is one of the envelope or of the mail', async () => {
  const target = site('Email', { senderFilter: 'logger@site.test' });
  const more = "s.sendmail('bounce@relay.test', [m['To']], m.as_bytes()); print('sent')";
  expect(await send(addressOf(target), { files: [['a.csv', 'x']], more })).toBe('sent');
  await ready(target, 1);
});

test('a mail of more than 25 MB is refused, announced or not', async () => {
  const target = site('Email');
  const client = await greeted();
  await client.say(`MAIL FROM:<a@b.test> SIZE=30000000`, /^552/);
  await client.say('MAIL FROM:<a@b.test>', /^250/);
  await client.say(`RCPT TO:<${addressOf(target)}>`, /^250/);
  await client.say('DATA', /^354/);
  client.text = '';
  const line = `${'x'.repeat(998)}\r\n`.repeat(1_000);
  client.socket.write(
    'Content-Type: application/octet-stream; name=a.csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\n',
  );
  for (let sent = 0; sent < 27; sent += 1) client.socket.write(line);
  client.socket.write('.\r\n');
  await until(() => /^552/m.test(client.text), { what: '552' });
  expect([await kept(target), await coming(target)]).toEqual([[], 0]);
  client.socket.destroy();
});

async function greeted(): Promise<RawClient> {
  const client = new RawClient(port());
  await until(() => client.text.startsWith('220'));
  await client.say('EHLO logger', /^250 /m);
  return client;
}

test('each mail has one recipient: for others the sender comes again', async () => {
  const [first, second] = [site('Email'), site('Email')];
  const client = await greeted();
  await client.say('MAIL FROM:<a@b.test>', /^250/);
  await client.say(`RCPT TO:<${addressOf(first)}>`, /^250/);
  await client.say(`RCPT TO:<${addressOf(second)}>`, /^452/);
  await client.say('AUTH PLAIN AGEAYg==', /^5/);
  client.socket.destroy();
});

test.each(['leaves', 'pauses'])('a client that %s in the middle of a mail leaves nothing', async (how) => {
  const target = site('Email');
  const client = await greeted();
  await client.say('MAIL FROM:<a@b.test>', /^250/);
  await client.say(`RCPT TO:<${addressOf(target)}>`, /^250/);
  await client.say('DATA', /^354/);
  client.socket.write('Content-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\n');
  client.socket.write(`${'x'.repeat(998)}\r\n`.repeat(600));
  await until(async () => (await coming(target)) === 1);
  if (how === 'leaves') client.socket.destroy();
  await client.closed();
  await until(async () => (await coming(target)) === 0);
  expect(await kept(target)).toEqual([]);
});

test.each<[string, string | Buffer]>([
  ['random bytes', randomBytes(64 * 1024)],
  ['a line without an end', 'A'.repeat(200_000)],
  ['a flood of commands', 'NOPE\r\n'.repeat(20_000)],
  ['the beginning of TLS', Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
  ['STARTTLS and no TLS', `EHLO x\r\nSTARTTLS\r\n${'y'.repeat(100)}`],
  ['STARTTLS and silence', 'EHLO x\r\nSTARTTLS\r\n'],
  ['nothing', ''],
])('%s ends its connection, and nobody else’s', async (_what, bytes) => {
  const target = site('Email');
  const client = new RawClient(port());
  client.socket.write(bytes);
  expect(await send(addressOf(target), { files: [['a.csv', 'served']] })).toBe('sent');
  await client.closed();
  await ready(target, 1);
});

test.each<[string, string]>([
  [
    'parts in parts in parts',
    Array.from(
      { length: 3_000 },
      (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
    ).join(''),
  ],
  [
    'a boundary that never ends',
    '--b0\r\nContent-Disposition: attachment; filename=a.csv\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!',
  ],
  ['many parts', '--b0\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\nx\r\n'.repeat(500)],
  ['unknown charsets', '--b0\r\nContent-Type: text/plain; charset=x-nothing\r\n\r\n\xff\xfe\r\n'],
])('a mail of %s is answered', async (_what, body) => {
  const target = site('Email');
  const client = await greeted();
  await client.say('MAIL FROM:<a@b.test>', /^250/);
  await client.say(`RCPT TO:<${addressOf(target)}>`, /^250/);
  await client.say('DATA', /^354/);
  client.text = '';
  client.socket.write(`Content-Type: multipart/mixed; boundary=b0\r\n\r\n${body}\r\n.\r\n`, 'latin1');
  await until(() => /^[245]\d\d /m.test(client.text), { what: 'an answer' });
  expect(await coming(target)).toBe(0);
  client.socket.destroy();
});
