import type { Socket } from 'node:net';
import { clientAddress } from '../domain/client-address.ts';
import { ConnectionShares } from '../domain/connection-shares.ts';
import { proxiesOf } from '../domain/proxies.ts';
import { isAnswering } from './request/request-scope.ts';
import { HttpProblem } from './response/problem.ts';

type Open = { readonly socket: Socket; isWaiting(): boolean };

/** Holds the connections of the HTTP server, each with who holds it. */
export class Connections {
  readonly #shares: ConnectionShares<Open>;
  readonly #bySocket = new WeakMap<Socket, Open>();
  readonly #isProxy: (address: string) => boolean;

  constructor({ max, trustedProxies }: { readonly max: number; readonly trustedProxies: readonly string[] }) {
    this.#shares = new ConnectionShares(max);
    this.#isProxy = proxiesOf(trustedProxies);
  }

  /** Takes a connection in; ends another one in its place where its address has its share. */
  readonly accept = (socket: Socket): void => {
    const ip = socket.remoteAddress ?? '';
    const opened = { socket, isWaiting: () => !isAnswering(socket) };
    this.#bySocket.set(socket, opened);
    socket.once('close', () => this.#shares.close(opened));
    this.#shares.open(opened, this.#isProxy(ip) ? undefined : clientAddress(ip))?.socket.destroy();
  };

  /** A request has shown a good key. @throws HttpProblem 503 where its account holds its share of connections */
  known(socket: Socket, account: string): void {
    const opened = this.#bySocket.get(socket);
    if (opened === undefined || this.#shares.known(opened, account)) return;
    throw new HttpProblem(503, 'TOO_MANY_CONNECTIONS', {
      message:
        'Service temporarily unavailable: the account holds its share of connections; use those that are open, or close some',
      headers: { connection: 'close' },
    });
  }
}
