import { BlockList, isIP, isIPv6 } from 'node:net';

/** Returns an IPv4 address that came over an IPv6 socket as it is otherwise written. */
export const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');

/** Returns whether `ipWhitelist` lets an address in (docs/reference/acquisition.md#transports); an empty one lets in any. */
export function isAllowed(ranges: readonly string[], client: string): boolean {
  if (ranges.length === 0) return true;
  const address = plainAddress(client);
  const family = familyOf(address);
  if (!family) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const [start = '', prefix] = range.split('/');
    const of = familyOf(start);
    if (!of) continue;
    if (prefix === undefined) list.addAddress(start, of);
    else list.addSubnet(start, Number(prefix), of);
  }
  return list.check(address, family);
}

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined =>
  (({ 4: 'ipv4', 6: 'ipv6' }) as const)[isIP(address) as 4 | 6];

/** Returns whom limits by address count: a client with an IPv6 prefix has 2^64 addresses. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const [before, after] = [groups(head), groups(tail)];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
