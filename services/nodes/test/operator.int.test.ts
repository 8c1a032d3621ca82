import { randomBytes } from 'node:crypto';
import type { BrokerReport, DeadLetters } from '@catchment/bus';
import { changeAccount, listAccounts } from '../src/operating/usecases/accounts.ts';
import { dropDeadLetter, listDeadLetters, retryDeadLetter } from '../src/operating/usecases/dead-letters.ts';
import type { OperatorDeps } from '../src/operating/usecases/deps.ts';
import { getHealth } from '../src/operating/usecases/health.ts';
import type { Installation } from '../src/operating/usecases/ports.ts';
import { type Fixture, openFixture, SESSIONS } from './fixture.ts';
import { ownerClient } from './owner-client.ts';
import { newEmail, peopleClient, tokenOf } from './people-client.ts';

let f: Fixture;
let people: ReturnType<typeof peopleClient>;
const OPERATOR = newEmail();
const BROKER: BrokerReport = {
  version: '2.12.0',
  clockSkewMs: 0,
  partitions: 2,
  streams: [],
  readers: [],
  deadLetters: { 'writer-0': 2 },
  storage: { bytes: 0, limitBytes: undefined },
};
const away = () => Promise.reject(new Error('away'));
const nobodyAsks: Installation = { broker: away, versions: away, shards: away, letters: away };
const deps = (installation: Installation = nobodyAsks): OperatorDeps =>
  ({ ...f, ...SESSIONS, operators: new Set([OPERATOR]), installation }) as OperatorDeps;

beforeAll(async () => {
  f = await openFixture();
  people = peopleClient(f);
});
afterAll(() => f.close());

/** Makes a profile for an e-mail by an administrator. @returns the link that the administrator gets */
async function invited(email: string) {
  const mine = await f.account();
  const owner = await ownerClient(f, mine.caller);
  const { administrators = [] } = await owner.put({ administrators: [{ user: email }] });
  return { mine, token: tokenOf(administrators.find(({ user }) => user === email)?.profileActivateUrl) };
}

const OPERATIONS = {
  listAccounts: (sessionSha256: Buffer) => listAccounts(deps(), { sessionSha256, after: '', limit: 10, search: '' }),
  changeAccount: (sessionSha256: Buffer) =>
    changeAccount(deps(), { sessionSha256, ownerId: '1'.repeat(24), body: Buffer.from('{}'), ifMatch: undefined }),
  getHealth: (sessionSha256: Buffer) => getHealth(deps(), { sessionSha256 }),
  listDeadLetters: (sessionSha256: Buffer) => listDeadLetters(deps(), { sessionSha256, after: 0, limit: 10 }),
  retryDeadLetter: (sessionSha256: Buffer) => retryDeadLetter(deps(), { sessionSha256, number: 1 }),
  dropDeadLetter: (sessionSha256: Buffer) => dropDeadLetter(deps(), { sessionSha256, number: 1 }),
} as const;

describe('before the e-mail is proven', () => {
  test('whoever has the link of an administrator is no operator', async () => {
    const { token } = await invited(OPERATOR);
    const { sessionSha256 } = await people.use(token);
    for (const work of Object.values(OPERATIONS))
      await expect(work(sessionSha256)).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('with the session of the operator', () => {
  let sessionSha256: Buffer;
  beforeAll(async () => {
    ({ sessionSha256 } = await people.prove(OPERATOR));
  });

  test.each(Object.entries(OPERATIONS))('%s is for nobody else', async (_name, work) => {
    const other = newEmail();
    const { token } = await invited(other);
    await people.use(token);
    const { sessionSha256: theirs } = await people.prove(other);
    await expect(work(theirs)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(work(randomBytes(32))).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test('accounts are listed by name, page after page, with what they use', async () => {
    const made = [];
    for (const name of ['b', 'A', 'c']) {
      const mine = await f.account();
      await f.owners.updateAccount({ account: mine.ownerId, accountName: `Paged ${name}`, sourceLimit: 5 }, f.service);
      made.push(mine);
    }
    const names: string[] = [];
    let after = '';
    do {
      const page = (await listAccounts(deps(), { sessionSha256, after, limit: 2, search: 'PAGED ' })) as {
        accounts: { accountName: string; nodes: number; sourceLimit: number }[];
        next: string | null;
      };
      names.push(...page.accounts.map(({ accountName }) => accountName));
      expect(page.accounts[0]).toMatchObject({ sources: 0, smsCount: 0, attachmentBytes: 0, sourceLimit: 5 });
      after = page.next ?? '';
    } while (after !== '');
    expect(names).toEqual(['Paged A', 'Paged b', 'Paged c']);
  });

  test.each([
    ['after', { after: 'x' }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 101 }],
    ['search', { search: 'a'.repeat(121) }],
  ])('a page is refused by %s', async (name, wrong) => {
    const asked = listAccounts(deps(), { sessionSha256, after: '', limit: 10, search: '', ...wrong });
    await expect(asked).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(`${name}:`),
    });
  });

  test('limits are set and taken away; the account hears of it as of the command line', async () => {
    const { ownerId } = await f.account();
    const change = (body: object) =>
      changeAccount(deps(), { sessionSha256, ownerId, body: Buffer.from(JSON.stringify(body)), ifMatch: undefined });
    expect(await change({ sourceLimit: 7, recordDays: 30, status: 'DISABLED' })).toMatchObject({ status: 'DISABLED' });
    await change({ sourceLimit: null, recordDays: null, status: 'ACTIVE' });
    const { rows } = await f.database.query(
      'SELECT source_limit, record_days, status FROM owners WHERE owner_id = $1',
      [ownerId],
    );
    expect(rows).toEqual([{ source_limit: null, record_days: null, status: 'ACTIVE' }]);
  });

  test('a change that is meant for what another operator has changed meanwhile changes nothing, and gets the present revision', async () => {
    const { ownerId } = await f.account();
    const accountName = `Contested ${ownerId}`;
    await f.owners.updateAccount({ account: ownerId, accountName, sourceLimit: 2.5, eventDays: 30 }, f.service);
    const revision = async () => {
      const page = await listAccounts(deps(), { sessionSha256, after: '', limit: 1, search: accountName });
      return (page as { accounts: { revision: number }[] }).accounts[0]!.revision;
    };
    const change = (body: object, ...revisions: number[]) =>
      changeAccount(deps(), {
        sessionSha256,
        ownerId,
        body: Buffer.from(JSON.stringify(body)),
        ifMatch: { revisions },
      });
    const first = await revision();
    await change({ smsLimit: 5 }, first);
    const second = await revision();
    expect(second).not.toBe(first);
    await expect(change({ smsLimit: 9 }, first)).rejects.toMatchObject({
      kind: 'changed',
      reason: 'REVISION_CHANGED',
    });
    expect(await revision()).toBe(second);
  });

  test.each([
    ['sourceLimit', { sourceLimit: -1 }],
    ['sourceLimit', { sourceLimit: '5' }],
    ['status', { status: 'GONE' }],
    ['status', { status: null }],
    ['recordDays', { recordDays: 1.5 }],
    ['slug', { slug: 'other' }],
  ])('a change is refused at %s: %j', async (name, body) => {
    const { ownerId } = await f.account();
    const asked = changeAccount(deps(), {
      sessionSha256,
      ownerId,
      body: Buffer.from(JSON.stringify(body)),
      ifMatch: undefined,
    });
    await expect(asked).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(`${name}:`),
    });
  });

  test('health has the words of doctor, and says what is away', async () => {
    const installation: Installation = { ...nobodyAsks, broker: async () => BROKER, versions: async () => [] };
    expect(await getHealth(deps(installation), { sessionSha256 })).toMatchObject({
      findings: [
        { about: 'readers', level: 'ok' },
        { about: 'dead letters', level: 'warning', says: '2 messages were put aside: 2 of writer-0' },
        { about: 'historic', level: 'problem' },
      ],
      shards: [],
      backups: [],
    });
    expect(await getHealth(deps(), { sessionSha256 })).toMatchObject({ findings: [{ about: 'nats' }, {}] });
  });

  test('dead letters are listed in pages, tried again, and dropped', async () => {
    const letterOf = (number: number) => ({
      number,
      reader: 'nodes',
      subject: 'alarms.alarm.changed.v1',
      sequence: number,
      timeMs: 0,
      deadMs: 1_000,
      reason: 'failed',
      bytes: 3,
      retryOf: undefined,
    });
    const dropped: number[] = [];
    const letters = {
      async *list(after: number) {
        for (const number of [1, 2, 3]) if (number > after) yield letterOf(number);
      },
      get: async (number: number) => ({ ...letterOf(number), data: new Uint8Array() }),
      retry: async () => ({ stream: 'DOMAIN', sequence: 9, after: 3 }),
      outcome: async () => ({ kind: 'handled' }),
      drop: async (number: number) => void dropped.push(number),
    } as unknown as DeadLetters;
    const installation: Installation = { ...nobodyAsks, letters: (work) => work(letters) };
    const list = (after: number) => listDeadLetters(deps(installation), { sessionSha256, after, limit: 2 });
    expect(await list(0)).toMatchObject({ letters: [{ number: 1, reason: 'failed' }, { number: 2 }], next: 2 });
    expect(await list(2)).toMatchObject({ letters: [{ number: 3 }], next: null });
    const of = { sessionSha256, number: 2 };
    expect(await retryDeadLetter(deps(installation), of)).toEqual({ outcome: 'HANDLED' });
    await dropDeadLetter(deps(installation), of);
    expect(dropped).toEqual([2]);
  });
});
