import type { AnyAccount } from '../../data/session/operator.ts';
import { changeOf, limitOf, over, typedOf } from './account-change.ts';

const ACCOUNT = {
  _id: '1',
  slug: 'north1',
  accountName: 'North',
  accountType: 'STANDARD',
  status: 'ACTIVE',
  sourceLimit: 5,
  smsLimit: null,
  rowsPerSourcePerDay: null,
  recordDays: null,
  eventDays: 30,
} as AnyAccount;

test.each([
  ['', null],
  [' 12 ', 12],
  ['0', 0],
  ['2,5', 2.5],
  ['-1', undefined],
  ['1e3', undefined],
  ['many', undefined],
])('a limit %j is %j', (text, expected) => {
  expect(limitOf(text)).toBe(expected);
});

test('what was typed and taken back is no change', () => {
  expect(changeOf(ACCOUNT, typedOf(ACCOUNT))).toEqual({ change: {}, wrong: [] });
});

test('over what another operator has saved, mine stays, theirs comes, and what both have changed is named', () => {
  const theirs = { ...ACCOUNT, sourceLimit: 9, smsLimit: 4, eventDays: 7 };
  const typed = { ...typedOf(ACCOUNT), sourceLimit: '8', eventDays: '7', recordDays: '2' };
  expect(over(ACCOUNT, typed, theirs)).toEqual({
    typed: { ...typedOf(theirs), sourceLimit: '8', recordDays: '2' },
    both: ['sourceLimit'],
  });
});

test('only what is different is sent; an emptied limit is null, and what is no number is named', () => {
  const typed = { ...typedOf(ACCOUNT), sourceLimit: '', eventDays: 'x', accountName: ' South ', recordDays: '0' };
  expect(changeOf(ACCOUNT, typed)).toEqual({
    change: { accountName: 'South', sourceLimit: null, recordDays: 0 },
    wrong: ['eventDays'],
  });
});
