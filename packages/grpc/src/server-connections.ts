import type { ServerHttp2Session } from 'node:http2';
import type { Logger } from '@catchment/telemetry';
import { KEEP_ALIVE_OF_SERVERS, type KeepAlive, keepAlive } from './keep-alive.ts';

/** Keeps the connections of a server, by the peer's address as calls name it. */
export class ServerConnections {
  readonly #open = new Map<string, ServerHttp2Session>();
  readonly #log: Logger;
  readonly #keepAlive: KeepAlive;

  constructor(log: Logger, limits: KeepAlive = KEEP_ALIVE_OF_SERVERS) {
    this.#log = log;
    this.#keepAlive = limits;
  }

  add(session: ServerHttp2Session): void {
    const { remoteAddress, remotePort } = session.socket;
    const peer = `${remoteAddress}:${remotePort}`;
    this.#open.set(peer, session);
    session.once('close', () => this.#open.delete(peer));
    keepAlive(session, this.#keepAlive, () => {
      this.#log.warn({ peer }, 'connection given up: its client does not answer');
      session.destroy();
    });
  }

  has(peer: string): boolean {
    return this.#open.get(peer)?.destroyed === false;
  }
}
