import { isAllowedAddress, readRanges } from './addresses.ts';

test.each([
  ['1.1.1.1', true],
  ['93.184.215.14', true],
  ['2606:4700:4700::1111', true],
  ['2a01:4f8::1', true],
  ['0.0.0.0', false],
  ['0.1.2.3', false],
  ['10.0.0.1', false],
  ['100.64.0.1', false],
  ['100.100.100.200', false],
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['168.63.129.16', false],
  ['169.254.169.254', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.0.0.192', false],
  ['192.0.2.1', false],
  ['192.88.99.1', false],
  ['192.168.1.1', false],
  ['198.18.0.1', false],
  ['198.51.100.1', false],
  ['203.0.113.1', false],
  ['224.0.0.1', false],
  ['239.255.255.255', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::7f00:1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:a9fe:a9fe', false],
  ['::ffff:1.1.1.1', true],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b:1::a00:1', false],
  ['100::1', false],
  ['2001::1', false],
  ['2001:db8::1', false],
  ['2002:7f00:1::', false],
  ['fc00::1', false],
  ['fd00:ec2::254', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['fec0::1', false],
  ['ff02::1', false],
  ['example.org', false],
  ['', false],
] as const)('connections to %s are allowed: %s', (address, allowed) => {
  expect(isAllowedAddress(address, [])).toBe(allowed);
});

test('the operator may allow ranges, of IPv4 also where they come as IPv6', () => {
  const ranges = readRanges(['127.0.0.0/8', 'fd00::/8']) ?? [];
  expect(['127.0.0.1', '::ffff:127.0.0.1', 'fd00::1'].map((address) => isAllowedAddress(address, ranges))).toEqual(
    Array(3).fill(true),
  );
  expect(['10.0.0.1', '::1', 'fe80::1'].map((address) => isAllowedAddress(address, ranges))).toEqual(
    Array(3).fill(false),
  );
});

test.each([['127.0.0.1'], ['10.0.0.0/33'], ['here/8'], ['']])('%s is no range', (text) => {
  expect(readRanges(['10.0.0.0/8', text])).toBeUndefined();
});
