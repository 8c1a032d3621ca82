import { sha256OfKey } from '@catchment/ids';
import { until } from '@catchment/testkit';
import { trialChange, trialEndMs, trialRemovalMs } from '../src/accounts/domain/trial.ts';
import { expireTrials } from '../src/accounts/index.ts';
import { type Fixture, openFixture } from './fixture.ts';

const DAY_MS = 86_400_000;
let f: Fixture;
let accounts = 0;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const make = async (accountType: string, parent = '') => {
  accounts += 1;
  const email = `trial${accounts}@example.org`;
  const request = { accountName: `Trial ${accounts}`, email, firstName: '', lastName: '', accountType, parent };
  return f.accountsClient.createAccount(request, f.service);
};
const update = (account: string, change: object) => f.owners.updateAccount({ account, ...change }, f.service);
const statusOf = (key: string) =>
  f.accountsClient.authenticate({ keySha256: Buffer.from(sha256OfKey(key), 'hex') }, f.service).then(
    ({ accountStatus }) => accountStatus,
    ({ kind }) => kind as string,
  );
const at = async (ms: number) => {
  f.clock.nowMs = ms;
  await expireTrials(f);
};

test.each([
  ['2026-01-31T12:00:00Z', '2026-04-30T12:00:00Z'],
  ['2026-11-30T00:00:00Z', '2027-02-28T00:00:00Z'],
  ['2026-03-01T23:59:59Z', '2026-06-01T23:59:59Z'],
])('an account disabled on %s is deleted on %s', (disabled, removed) => {
  expect(trialRemovalMs(Date.parse(disabled))).toBe(Date.parse(removed));
});

const trial = (status: string) => ({ account_type: 'TRIAL', status });
const other = (status: string) => ({ account_type: 'STANDARD', status });
test.each([
  [other('ACTIVE'), trial('ACTIVE'), false, 'begins'],
  [trial('ACTIVE'), other('ACTIVE'), false, 'is over'],
  [trial('DISABLED'), other('DISABLED'), true, 'is over'],
  [trial('DISABLED'), trial('ACTIVE'), true, 'begins'],
  [trial('DISABLED'), trial('ACTIVE'), false, 'stays'],
  [trial('ACTIVE'), trial('DISABLED'), false, 'stays'],
  [trial('ACTIVE'), trial('ACTIVE'), true, 'stays'],
  [other('DISABLED'), other('ACTIVE'), false, 'stays'],
])('%j to %j, its time over: %s: the trial %s', (before, after, isOver, expected) => {
  expect(trialChange(before, after, isOver)).toBe(expected);
});

test('a trial is disabled after 30 days and deleted with all in it three months later; others are not', async () => {
  const startMs = f.clock.nowMs;
  const parent = await f.account();
  const made = await make('TRIAL', parent.slug);
  const [standard, managed] = [await make('STANDARD'), await make('MANAGED', parent.slug)];
  const keys = [standard, managed].map(({ defaultKey }) => defaultKey);
  await at(startMs + 30 * DAY_MS - 1);
  expect(await statusOf(made.defaultKey)).toBe('ACTIVE');
  await at(trialEndMs(startMs));
  expect(await statusOf(made.defaultKey)).toBe('DISABLED');
  await until(() => f.published.events.some(({ ownerId }) => ownerId === made.ownerId));
  const reported = f.published.events.filter(({ ownerId }) => ownerId === made.ownerId);
  expect(reported.map(({ message, username, eventType }) => [message, username, eventType])).toEqual([
    ['Updated status', 'System', 'SECURITY'],
  ]);
  const removalMs = trialRemovalMs(trialEndMs(startMs));
  await at(removalMs - 1);
  expect(await statusOf(made.defaultKey)).toBe('DISABLED');
  await at(removalMs);
  expect(await statusOf(made.defaultKey)).toBe('unauthenticated');
  expect(await f.database.query('SELECT 1 FROM owners WHERE owner_id = $1', [made.ownerId])).toMatchObject({
    rows: [],
  });
  for (const key of [...keys, parent.defaultKey]) expect(await statusOf(key)).toBe('ACTIVE');
});

test('enabled after its end a trial has another 30 days; as another kind of account it has no end', async () => {
  const startMs = f.clock.nowMs;
  const [again, kept] = [await make('TRIAL'), await make('TRIAL')];
  await at(trialEndMs(startMs));
  await update(again.slug, { status: 'ACTIVE' });
  await update(kept.slug, { accountType: 'STANDARD', status: 'ACTIVE' });
  await at(trialEndMs(startMs) + 30 * DAY_MS - 1);
  expect([await statusOf(again.defaultKey), await statusOf(kept.defaultKey)]).toEqual(['ACTIVE', 'ACTIVE']);
  await at(trialEndMs(startMs) + 30 * DAY_MS);
  expect([await statusOf(again.defaultKey), await statusOf(kept.defaultKey)]).toEqual(['DISABLED', 'ACTIVE']);
  await update(kept.slug, { accountType: 'TRIAL' });
  await at(f.clock.nowMs + 30 * DAY_MS);
  expect(await statusOf(kept.defaultKey)).toBe('DISABLED');
  await at(trialRemovalMs(f.clock.nowMs));
  expect([await statusOf(again.defaultKey), await statusOf(kept.defaultKey)]).toEqual(Array(2).fill('unauthenticated'));
});

test('a trial that manages accounts is not deleted before them', async () => {
  const startMs = f.clock.nowMs;
  const parent = await make('TRIAL');
  const child = await make('MANAGED', parent.slug);
  await at(trialEndMs(startMs));
  await at(trialRemovalMs(trialEndMs(startMs)));
  expect([await statusOf(parent.defaultKey), await statusOf(child.defaultKey)]).toEqual(['DISABLED', 'ACTIVE']);
  await f.owners.deleteAccount({ account: child.slug }, f.service);
  await at(f.clock.nowMs + 1);
  expect(await statusOf(parent.defaultKey)).toBe('unauthenticated');
});
