import ipaddr from 'ipaddr.js';

export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** ipaddr.js takes these for public addresses: a service of Azure, and IPv6 that leads to an address of IPv4. */
const REFUSED: readonly AddressRange[] = ['168.63.129.16/32', '::/96'].map((range) => ipaddr.parseCIDR(range));

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly AddressRange[]): boolean =>
  ranges.some((range) => range[0].kind() === address.kind() && address.match([...range]));

/**
 * Returns whether an address may be connected to: it is public, or in a range that the operator allows.
 * @param address IPv4 or IPv6, as a resolver gives it
 */
export function isAllowedAddress(address: string, allowed: readonly AddressRange[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An address of IPv4 written as IPv6 is one of IPv4.
  const plain = ipaddr.process(address);
  return isIn(plain, allowed) || (plain.range() === 'unicast' && !isIn(plain, REFUSED));
}

/** Ranges as `10.0.0.0/8`. @returns undefined when one of them is none */
export const readRanges = (texts: readonly string[]): readonly AddressRange[] | undefined =>
  texts.every((text) => ipaddr.isValidCIDR(text)) ? texts.map((text) => ipaddr.parseCIDR(text)) : undefined;

/** Returns the address that a URL names in the place of a host name. WHATWG URLs write those of IPv4 in their one form. */
export function addressIn({ hostname }: Pick<URL, 'hostname'>): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}
