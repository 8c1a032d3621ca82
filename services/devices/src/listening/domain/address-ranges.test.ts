import { isAllowed } from './address-ranges.ts';

test.each<[boolean, string[], string]>([
  [true, [], '192.0.2.7'],
  [true, ['192.0.2.0/24'], '192.0.2.7'],
  [true, ['192.0.2.0/24'], '::ffff:192.0.2.7'],
  [true, ['192.0.2.7'], '192.0.2.7'],
  [false, ['192.0.2.0/24'], '192.0.3.7'],
  [false, ['192.0.2.0/24'], '2001:db8::1'],
  [true, ['192.0.2.0/24', '2001:db8::/32'], '2001:db8:1::1'],
  [true, ['fe80::/10'], 'fe80::1%eth0'],
  [false, ['2001:db8::/32'], ''],
  [false, ['2001:db8::/32'], 'somewhere'],
])('is %s: %j lets %s in', (isIn, ranges, address) => {
  expect(isAllowed(ranges, address)).toBe(isIn);
});

test.each([
  ['192.0.2.17', '192.0.2.16/28', true],
  ['192.0.2.33', '192.0.2.16/28', false],
  ['::ffff:192.0.2.17', '192.0.2.16/28', true],
  ['2001:db8::1', '2001:db8::/120', true],
  ['2001:db8::1:1', '2001:db8::/120', false],
  ['192.0.2.17', '2001:db8::/120', false],
  ['', '192.0.2.16/28', false],
])('%s in %s: %s', (address, cidr, expected) => {
  expect(isAllowed([cidr], address)).toBe(expected);
});
