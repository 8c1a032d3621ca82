import getPort from 'get-port';

/** A loopback port that nothing listens on now. */
export function freePort(): Promise<number> {
  return getPort({ host: '127.0.0.1' });
}
