import { proxiesOf } from './proxies.ts';

test.each([
  [['10.0.0.0/8'], '10.1.2.3', true],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  [['10.0.0.0/8'], '11.1.2.3', false],
  [['192.0.2.7'], '192.0.2.7', true],
  [['2001:db8::/32'], '2001:db8:1::1', true],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['loopback'], '127.0.0.1', true],
  [['loopback'], '::1', true],
  [[], '127.0.0.1', false],
  [['10.0.0.0/8'], '', false],
] as const)('of proxies %j: %s is one: %s', (trusted, address, isOne) => {
  expect(proxiesOf(trusted)(address)).toBe(isOne);
});
