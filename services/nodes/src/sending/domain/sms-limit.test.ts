import { monthOf, type SmsAccount, smsGrant, smsGrants } from './sms-limit.ts';

const account = (change: Partial<SmsAccount> = {}): SmsAccount => ({
  ownerId: 'a',
  accountType: 'STANDARD',
  status: 'ACTIVE',
  smsLimit: null,
  count: 0,
  announcedPercent: 0,
  ...change,
});
const managed = (change: Partial<SmsAccount> = {}) => account({ ownerId: 'm', accountType: 'MANAGED', ...change });

test.each([
  ['no limit grants all', [account({ count: 1e6 })], 'a', 7],
  ['a limit of 0 grants none', [account({ smsLimit: 0 })], 'a', 0],
  ['a limit grants what is left', [account({ smsLimit: 10, count: 8 })], 'a', 2],
  ['a limit that was lowered grants none', [account({ smsLimit: 10, count: 12 })], 'a', 0],
  ['half a message is none', [account({ smsLimit: 2.5 })], 'a', 2],
  ['a trial has ten', [account({ accountType: 'TRIAL', count: 6 })], 'a', 4],
  ['unless it was given another number', [account({ accountType: 'TRIAL', smsLimit: 20, count: 6 })], 'a', 7],
  [
    'what managed accounts send counts for who manages them',
    [account({ smsLimit: 10, count: 3 }), managed({ count: 4 })],
    'a',
    3,
  ],
  ['the limit of who manages an account holds', [account({ smsLimit: 10, count: 3 }), managed({ count: 4 })], 'm', 3],
  ['and its own', [account({ smsLimit: 10 }), managed({ smsLimit: 2 })], 'm', 2],
  [
    'disabled accounts and trials are not summed',
    [account({ smsLimit: 10, count: 9 }), managed({ count: 4, status: 'DISABLED' })],
    'a',
    1,
  ],
] as const)('%s', (_what, family, ownerId, granted) => {
  expect(smsGrant(family, ownerId, 7).granted).toBe(granted);
});

test.each([
  ['below 90 %', 7, 0, 1, []],
  ['at 90 %', 8, 0, 1, [90]],
  ['announced before', 8, 90, 1, []],
  ['at 100 %', 9, 90, 1, [100]],
  ['from far below to the end', 0, 0, 50, [90, 100]],
  ['nothing is left', 10, 0, 1, []],
])('%s: the owner is notified of %#', (_what, count, announcedPercent, wanted, percents) => {
  const { news } = smsGrant([account({ smsLimit: 10, count, announcedPercent })], 'a', wanted);
  expect(news.map(({ percent }) => percent)).toEqual(percents);
});

test('accounts of one family share what their managing account may send', () => {
  const family = [account({ smsLimit: 10, count: 3 }), managed({ count: 4 })];
  const { granted, news, after } = smsGrants(
    [family],
    new Map([
      ['m', 2],
      ['a', 7],
    ]),
  );
  expect([...granted]).toEqual([
    ['m', 2],
    ['a', 1],
  ]);
  expect(news.map(({ account: { ownerId }, percent }) => [ownerId, percent])).toEqual([
    ['a', 90],
    ['a', 100],
  ]);
  expect(after.map(({ count, announcedPercent }) => [count, announcedPercent])).toEqual([
    [4, 100],
    [6, 0],
  ]);
});

test('accounts of other families do not share', () => {
  const families = [[account({ smsLimit: 1 })], [account({ ownerId: 'b', smsLimit: 1 })]];
  expect([
    ...smsGrants(
      families,
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
    ).granted.values(),
  ]).toEqual([1, 1]);
});

test('an account that is gone gets all that it wants, and nothing is counted', () => {
  expect(smsGrants([], new Map([['gone', 2]]))).toEqual({ granted: new Map([['gone', 2]]), news: [], after: [] });
});

test('months begin at midnight UTC', () => {
  expect(monthOf(Date.parse('2024-02-29T23:59:59.999Z'))).toBe(Date.parse('2024-02-01T00:00:00Z'));
  expect(monthOf(Date.parse('2024-03-01T00:00:00Z'))).toBe(Date.parse('2024-03-01T00:00:00Z'));
});
