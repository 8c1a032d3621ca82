import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { freePort, type TestDatabase, type TestMailServer, testDatabase, testMailServer } from '@catchment/testkit';
import {
  appendMails,
  layOut,
  type MailSettings,
  MailWorker,
  type MailWorkerOptions,
  RETRY_AFTER_MS,
  smtpSender,
} from '../src/index.ts';

const TABLE = `CREATE TABLE mails (
  mail_id uuid PRIMARY KEY, seq bigint GENERATED ALWAYS AS IDENTITY, recipient text NOT NULL, template text NOT NULL, facts jsonb NOT NULL, created_ms bigint NOT NULL,
  due_ms bigint NOT NULL, attempts int NOT NULL DEFAULT 0, failed_ms bigint, last_error text)`;
const PASSWORD = 'a-secret-that-no-log-holds';

let db: TestDatabase;
let database: Database;
let server: TestMailServer;
let lines: string[];
let clock: { nowMs: number };
const closers: (() => void)[] = [];
let serial = 0;
const address = () => `jo${++serial}@example.org`;

beforeAll(async () => {
  db = await testDatabase();
  database = new Database({ url: db.url, schema: 'public', applicationName: 'test', rehearsesTransactions: true });
  await database.query(TABLE);
});
beforeEach(async () => {
  server = await testMailServer();
  await database.query('DELETE FROM mails');
  lines = [];
  clock = { nowMs: 1_000_000 };
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await server.close();
});
afterAll(async () => {
  await database.close();
  await db.drop();
});

const settings = (change: Partial<MailSettings> = {}): MailSettings => ({
  host: '127.0.0.1',
  port: server.port,
  security: 'off',
  login: undefined,
  from: 'Catchment <catchment@example.org>',
  ...change,
});

/** @param sendWith null = no mail server */
function worker(sendWith: MailSettings | null = settings(), write: MailWorkerOptions['write'] = writeFacts) {
  const sender = sendWith === null ? undefined : smtpSender(sendWith);
  if (sender) closers.push(() => sender.close());
  const log = createLogger('test', {
    level: 'debug',
    destination: new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  });
  return new MailWorker({ database, sender, write, log, now: () => clock.nowMs });
}

const writeFacts = async ({ facts }: { facts: Readonly<Record<string, unknown>> }) =>
  layOut({ subject: String(facts.subject), firstName: '', paragraphs: [String(facts.subject)], footer: 'Test.' });

const queue = (recipient: string, subject = 'News') =>
  appendMails(database, [{ recipient, template: 'news', facts: { subject } }], clock.nowMs);
const rows = async () =>
  (
    await database.query<{ attempts: number; due_ms: number; failed_ms: number | null; last_error: string }>(
      'SELECT * FROM mails',
    )
  ).rows;

test('a mail is sent once, in both forms, and leaves the queue', async () => {
  const jo = address();
  await queue(jo, 'Grüße aus Köln');
  expect(await worker().sendDue()).toBe(1);
  expect(await worker().sendDue()).toBe(0);
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toMatchObject({
    to: [jo],
    subject: 'Grüße aus Köln',
    from: '"Catchment" <catchment@example.org>',
    text: expect.stringContaining('Grüße aus Köln'),
    html: expect.stringContaining('Grüße aus Köln'),
    messageId: expect.stringMatching(/^<[0-9a-f-]{36}@example\.org>$/),
  });
  expect(server.mails[0]?.headers.get('auto-submitted')).toBe('auto-generated');
  expect(await rows()).toEqual([]);
});

test('a file that goes with a mail arrives byte for byte, under its name', async () => {
  const [jo, bytes] = [address(), randomBytes(3_000_000)];
  const sender = smtpSender(settings());
  closers.push(() => sender.close());
  const fileName = 'Wöchentlich "Kölner Pegel".pdf';
  const attachments = [{ fileName, contentType: 'application/pdf', bytes }];
  await sender.send({
    ...(await writeFacts({ facts: { subject: 'News' } })),
    mailId: 'm1',
    recipient: jo,
    attachments,
  });
  const [mail] = server.mails;
  expect(mail?.attachments).toMatchObject([{ fileName, contentType: 'application/pdf' }]);
  expect(mail?.attachments[0]?.bytes.equals(bytes)).toBe(true);
  expect([mail?.text, mail?.html]).toEqual([expect.stringContaining('News'), expect.stringContaining('News')]);
});

test('a mail of a transaction that fails is never sent', async () => {
  const undone = database.transaction(async (tx) => {
    await appendMails(tx, [{ recipient: address(), template: 'news', facts: {} }], clock.nowMs);
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  expect(await worker().sendDue()).toBe(0);
});

test('mails to one recipient come in the order in which they were asked for', async () => {
  const [jo, ann] = [address(), address()];
  for (let i = 0; i < 4; i += 1) for (const person of [jo, ann]) await queue(person, `News ${i}`);
  await worker().sendDue();
  for (const person of [jo, ann]) {
    const subjects = server.mails.filter(({ to }) => to.includes(person)).map(({ subject }) => subject);
    expect(subjects).toEqual(['News 0', 'News 1', 'News 2', 'News 3']);
  }
});

test('several replicas share the queue and send nothing twice', async () => {
  for (let i = 0; i < 25; i += 1) await queue(address());
  const workers = [worker(), worker(), worker()];
  for (let round = 0; round < 3; round += 1) await Promise.all(workers.map((worker) => worker.sendDue()));
  expect(new Set(server.mails.map(({ to }) => to[0])).size).toBe(25);
  expect(server.mails).toHaveLength(25);
});

test('what a server takes later is tried again, ever more seldom, with the same id; then it has failed', async () => {
  server.refuse(() => 451);
  await queue(address());
  const mailWorker = worker();
  for (const waitMs of RETRY_AFTER_MS) {
    expect(await mailWorker.sendDue()).toBe(1);
    expect(await mailWorker.sendDue()).toBe(0);
    expect((await rows())[0]).toMatchObject({
      due_ms: clock.nowMs + waitMs,
      failed_ms: null,
      last_error: 'EENVELOPE 451',
    });
    clock.nowMs += waitMs;
  }
  expect(await mailWorker.sendDue()).toBe(1);
  expect((await rows())[0]).toMatchObject({ failed_ms: clock.nowMs, attempts: RETRY_AFTER_MS.length + 1 });
  clock.nowMs += 365 * 86_400_000;
  expect(await mailWorker.sendDue()).toBe(0);
});

test('after a failure it arrives all the same', async () => {
  server.refuse(() => 421);
  await queue(address());
  await worker().sendDue();
  server.refuse(() => undefined);
  clock.nowMs += RETRY_AFTER_MS[0];
  await worker().sendDue();
  expect(server.mails).toHaveLength(1);
  expect(await rows()).toEqual([]);
});

test('a recipient that is refused for good is not tried again, and others are not held up', async () => {
  const [gone, here] = [address(), address()];
  server.refuse((recipient) => (recipient === gone ? 550 : undefined));
  await queue(gone);
  await queue(here);
  await worker().sendDue();
  expect(server.mails.map(({ to }) => to)).toEqual([[here]]);
  expect(await rows()).toMatchObject([{ failed_ms: clock.nowMs, last_error: 'EENVELOPE 550' }]);
});

test('a server that is away is waited for', async () => {
  await server.close();
  const port = await freePort();
  await queue(address());
  await worker(settings({ port })).sendDue();
  expect((await rows())[0]).toMatchObject({
    failed_ms: null,
    attempts: 1,
    last_error: expect.stringMatching(/ECONN|ESOCKET/),
  });
  server = await testMailServer({ port });
  clock.nowMs += RETRY_AFTER_MS[0];
  await worker(settings({ port })).sendDue();
  expect(server.mails).toHaveLength(1);
});

test('a replica that dies with a mail in hand leaves it for another', async () => {
  await queue(address());
  const dead = worker(settings(), () => new Promise(() => {}));
  void dead.sendDue();
  const heir = worker();
  while ((await rows())[0]?.attempts !== 1);
  expect(await heir.sendDue()).toBe(0);
  clock.nowMs += 10 * 60_000;
  expect(await heir.sendDue()).toBe(1);
  expect(server.mails).toHaveLength(1);
});

test('a mail that is needed no more is dropped unsent', async () => {
  await queue(address());
  await worker(settings(), async () => undefined).sendDue();
  expect([server.mails, await rows()]).toEqual([[], []]);
});

test('without a mail server mails are dropped, which is logged once', async () => {
  for (let i = 0; i < 3; i += 1) await queue(address());
  await worker(null).sendDue();
  expect(await rows()).toEqual([]);
  expect(lines.filter((line) => line.includes('no mail server is configured'))).toHaveLength(1);
});

test('a wrong login is worth another attempt: somebody may mend it', async () => {
  await server.close();
  server = await testMailServer({ login: { user: 'jo', password: PASSWORD } });
  await queue(address());
  await worker(settings({ login: { user: 'jo', password: 'wrong' } })).sendDue();
  expect((await rows())[0]).toMatchObject({ failed_ms: null, last_error: 'EAUTH 535' });
  clock.nowMs += RETRY_AFTER_MS[0];
  await worker(settings({ login: { user: 'jo', password: PASSWORD } })).sendDue();
  expect(server.mails).toHaveLength(1);
});

test.each(['required', 'offered'] as const)(
  'a certificate that nobody trusts gets no login and no mail: TLS %s',
  async (security) => {
    await server.close();
    server = await testMailServer({ login: { user: 'jo', password: PASSWORD }, offersTls: true });
    await queue(address());
    await worker(settings({ login: { user: 'jo', password: PASSWORD }, security })).sendDue();
    expect([server.mails, server.logins]).toEqual([[], []]);
    expect((await rows())[0]).toMatchObject({ failed_ms: null, attempts: 1 });
  },
);

test('STARTTLS that is required and not offered sends nothing', async () => {
  await queue(address());
  await worker(settings({ security: 'required' })).sendDue();
  expect(server.mails).toHaveLength(0);
  expect((await rows())[0]).toMatchObject({ failed_ms: null, attempts: 1 });
});

test('no log line names a recipient, a text or a password', async () => {
  const jo = address();
  await queue(jo, 'Very private');
  server.refuse(() => 451);
  const mailWorker = worker(settings({ login: { user: 'jo', password: PASSWORD }, security: 'off' }));
  await mailWorker.sendDue();
  server.refuse(() => undefined);
  clock.nowMs += RETRY_AFTER_MS[0];
  await mailWorker.sendDue();
  const all = lines.join('');
  expect(all).toContain('mail not sent, trying again');
  for (const secret of [jo, 'Very private', PASSWORD]) expect(all).not.toContain(secret);
});
