import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { type AddressRange, addressIn, isAllowedAddress } from './addresses.ts';
import { AddressRefused, guardedLookup, nameServers, type ResolveHost } from './guarded-lookup.ts';

/** A person wants a connection to this. */
export type Target = {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** Look-up and connection together take at most this long. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

/**
 * Guards every connection to a host that a person named: public addresses only, and ranges that the operator allows. An
 * address is checked after it was looked up, and it is the one that is connected to.
 */
export class Egress {
  /** Sockets and agents of HTTP call this `lookup`, but not for an address: see `checkHost` and `checkUrl`. */
  readonly lookup: LookupFunction;
  readonly #allowed: readonly AddressRange[];

  constructor(options: { allowed: readonly AddressRange[]; resolve?: ResolveHost }) {
    this.#allowed = options.allowed;
    this.lookup = guardedLookup(options.resolve ?? nameServers(), options.allowed);
  }

  /** Passes names, which are checked when they are looked up. @throws AddressRefused for an address that is not allowed */
  checkHost(host: string): void {
    if (isIP(host) && !isAllowedAddress(host, this.#allowed)) throw new AddressRefused();
  }

  /** Checks a URL in the same way, before each request and at each redirect. @throws AddressRefused */
  checkUrl(url: Pick<URL, 'hostname'>): void {
    const address = addressIn(url);
    if (address !== undefined && !isAllowedAddress(address, this.#allowed)) throw new AddressRefused();
  }

  /**
   * An allowed address of a host, for libraries that connect by themselves.
   * @throws AddressRefused; errors of name servers
   */
  addressOf(host: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.checkHost(host);
      if (isIP(host)) resolve(host);
      else this.lookup(host, { all: false }, (error, address) => (error ? reject(error) : resolve(String(address))));
    });
  }

  /**
   * Opens a connection, whose errors are the caller's from then on.
   * @throws AddressRefused; errors of name servers and sockets; ETIMEDOUT; the reason of `signal`
   */
  connect({ host, port, timeoutMs, signal }: Target): Promise<Socket> {
    return new Promise((resolve, reject) => {
      this.checkHost(host);
      signal?.throwIfAborted();
      const socket = connect({ host, port, lookup: this.lookup });
      const timer = setTimeout(() => socket.destroy(timedOut(host, port)), timeoutMs);
      const abort = () => socket.destroy(signal?.reason);
      const settled = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        socket.off('error', failed).off('connect', connected);
      };
      const failed = (error: Error) => {
        settled();
        reject(error);
      };
      const connected = () => {
        settled();
        resolve(socket);
      };
      signal?.addEventListener('abort', abort, { once: true });
      socket.once('error', failed).once('connect', connected);
    });
  }
}

const timedOut = (host: string, port: number): Error =>
  Object.assign(new Error(`connect ETIMEDOUT ${host}:${port}`), { code: 'ETIMEDOUT' });
