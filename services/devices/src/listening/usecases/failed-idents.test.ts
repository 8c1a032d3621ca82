import type { Ident } from '../../registry/domain/ident.ts';
import { FailedIdents } from './failed-idents.ts';

const MODEM: Ident = { deviceKey: '356938035643809', secret: 'correct horse', session: '', software: {} };
const limits = { maxFailures: 3, failureWindowSeconds: 300 };

function limited(address = '192.0.2.1') {
  let nowMs = 1_000_000;
  const idents = new FailedIdents(limits, () => nowMs);
  for (let i = 0; i < 3; i += 1) idents.failed(address);
  return { idents, pass: (ms: number) => (nowMs += ms) };
}

test('failures up to the limit make nobody wait, the next one is too many', () => {
  const idents = new FailedIdents(limits, () => 0);
  expect([1, 2, 3, 4].map(() => [idents.delayMs('a', MODEM), idents.failed('a')])).toEqual([
    [0, false],
    [0, false],
    [0, false],
    [0, true],
  ]);
});

test('past the limit identifications are checked one after the other, one a second, and those for whom there is no room are not checked', () => {
  const { idents, pass } = limited();
  const delays = Array.from({ length: 18 }, () => idents.delayMs('192.0.2.1', MODEM));
  expect(delays.slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, i) => i * 1_000));
  expect(delays.slice(16)).toEqual([undefined, undefined]);
  pass(2_000);
  expect(idents.delayMs('192.0.2.1', MODEM)).toBe(14_000);
});

test('a modem that was right from there before does not wait, with this key and secret only', () => {
  const { idents } = limited();
  idents.succeeded('192.0.2.1', MODEM);
  idents.delayMs('192.0.2.1', undefined);
  expect(idents.delayMs('192.0.2.1', MODEM)).toBe(0);
  expect(idents.delayMs('192.0.2.1', { ...MODEM, secret: 'wrong horse' })).toBe(1_000);
  expect(idents.delayMs('192.0.2.1', { ...MODEM, secret: undefined })).toBe(2_000);
});

test('failures end with their window, and are of one address', () => {
  const { idents, pass } = limited();
  idents.delayMs('192.0.2.1', MODEM);
  expect(idents.delayMs('192.0.2.2', MODEM)).toBe(0);
  pass(300_000);
  expect([idents.delayMs('192.0.2.1', MODEM), idents.failed('192.0.2.1')]).toEqual([0, false]);
});

test.each([
  ['2001:db8::1', '2001:db8::2', true],
  ['2001:db8:0:0:1::1', '2001:db8::2', true],
  ['2001:db8:0:1::1', '2001:db8::1', false],
  ['fe80::1%eth0', 'fe80::2', true],
  ['::1', '::2', true],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
])('%s and %s count together: %s', (earlier, other, together) => {
  const { idents } = limited(earlier);
  idents.delayMs(earlier, MODEM);
  expect(idents.delayMs(other, MODEM)).toBe(together ? 1_000 : 0);
});
