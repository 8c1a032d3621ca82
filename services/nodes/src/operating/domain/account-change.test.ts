import { readAccountChange } from './account-change.ts';

test('null takes a limit away; what is absent stays', () => {
  expect(readAccountChange('alz', { status: 'DISABLED', sourceLimit: 20, smsLimit: null })).toEqual({
    account: 'alz',
    status: 'DISABLED',
    sourceLimit: 20,
    smsLimit: -1,
  });
});

test.each([
  ['an attribute that no account has', { slug: 'alz' }, /^slug: must be one of accountName, /],
  ['a number in the place of a text', { status: 1 }, 'status: must be a text'],
  ['a limit below 0', { smsLimit: -1 }, 'smsLimit: must be a number from 0, or null'],
  ['a text in the place of a limit', { recordDays: '30' }, 'recordDays: must be a number from 0, or null'],
])('refused: %s', (_what, body, message) => {
  expect(() => readAccountChange('alz', body)).toThrow(message);
});
