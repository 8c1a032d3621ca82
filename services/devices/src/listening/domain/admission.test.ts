import { Admission } from './admission.ts';

const open = () => new Admission({ maxConnections: 10, maxConnectionsPerAddress: 2, maxPendingBytes: 1 });

test.each([
  ['one IPv4 address', ['192.0.2.1', '192.0.2.1', '192.0.2.1'], [true, true, false]],
  ['IPv4 over IPv6', ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'], [true, true, false]],
  ['neighbours of IPv4', ['192.0.2.1', '192.0.2.2', '192.0.2.3'], [true, true, true]],
  [
    'one network of IPv6, of which a client has all',
    ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:9::3'],
    [true, true, false],
  ],
  ['other networks of IPv6', ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::3'], [true, true, true]],
] as const)('connections of %s', (_what, addresses, expected) => {
  const admission = open();
  expect(addresses.map((address) => admission.enter(address))).toEqual(expected);
});

test('a connection that ended gives its place in its network back', () => {
  const admission = open();
  for (const end of ['1', '2']) admission.enter(`2001:db8::${end}`);
  admission.leave('2001:db8::2');
  expect(admission.enter('2001:db8::7')).toBe(true);
  expect(admission.enter('2001:db8::8')).toBe(false);
});

test('so many connections wait for room, and no more; one that has ended its wait makes place for another', () => {
  const admission = new Admission({ maxConnections: 100, maxConnectionsPerAddress: 100, maxPendingBytes: 1 });
  const waits = Array.from({ length: 40 }, () => admission.wait());
  expect(waits.filter((end) => end !== undefined)).toHaveLength(32);
  waits[0]?.();
  expect(admission.wait()).toBeDefined();
  expect(admission.wait()).toBeUndefined();
});
