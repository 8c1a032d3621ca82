import { registrationLines } from './registration-lines.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const registration = {
  deviceId: 'd1',
  ownerId: 'o1',
  createdMs: AT,
  hasSecret: false,
  isConnected: false,
  lastConnectedMs: 0,
};

test.each([
  ['never connected', {}, 'no secret, never connected'],
  ['connected before', { lastConnectedMs: AT + 60_000 }, 'no secret, last connected 2026-01-02 03:05 UTC'],
  [
    'connected',
    { isConnected: true, lastConnectedMs: AT, hasSecret: true },
    'has a secret, connected since 2026-01-02 03:04 UTC',
  ],
])('a registration %s', (_what, over, end) => {
  expect(registrationLines([{ ...registration, ...over }], new Map([['o1', 'River Authority']]))).toEqual([
    `1. device d1, account o1 River Authority, since 2026-01-02 03:04 UTC, ${end}`,
  ]);
});

test('the account of a registration may be gone', () => {
  expect(registrationLines([registration], new Map())[0]).toContain('account o1 (deleted), ');
});
