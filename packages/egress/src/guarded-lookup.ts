import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { type AddressRange, isAllowedAddress } from './addresses.ts';

/** Sets refusals of the guard apart from the failures of networks. */
export class AddressRefused extends Error {
  constructor() {
    super('address is private or reserved, and its range is not allowed by the operator');
    this.name = 'AddressRefused';
  }
}

/** Returns all addresses of a host name. @throws when it has none */
export type ResolveHost = (hostname: string) => Promise<readonly { address: string; family: 4 | 6 }[]>;

/**
 * Asks the name servers directly. The resolver of the operating system would do it on the threads that all look-ups of the process
 * share: a few names whose servers are silent would hold up its connections to stores and services.
 */
export function nameServers(): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    const found = <const F extends 4 | 6>(result: PromiseSettledResult<string[]>, family: F) =>
      result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
    return [...found(four, 4), ...found(six, 6)];
  };
}

/** Returns the `lookup` of connections: what it answers is what is connected to, and only allowed addresses are in it. */
export function guardedLookup(resolve: ResolveHost, allowed: readonly AddressRange[]): LookupFunction {
  return (hostname, { all, family }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const open = addresses.filter(({ address }) => isAllowedAddress(address, allowed));
        const [first] = open.filter((address) => !family || address.family === family);
        if (!first) callback(new AddressRefused(), '');
        else if (all) callback(null, [...open]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
