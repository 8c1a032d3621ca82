import { BlockList, isIP, isIPv6 } from 'node:net';

/** The names that the setting knows for ranges (of Fastify's `trustProxy`). */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Returns whether the setting may name it: an address, a CIDR range, or a name. */
export function isProxyRange(entry: string): boolean {
  if (Object.hasOwn(NAMED, entry)) return true;
  const [, address = entry, bits = '0'] = /^(.*)\/(\d{1,3})$/.exec(entry) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** @param trusted as `isProxyRange` has them. @returns whether a connection comes from one of them */
export function proxiesOf(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of trusted.flatMap((name) => NAMED[name] ?? [name])) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (given) => {
    const address = given.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
    return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}
