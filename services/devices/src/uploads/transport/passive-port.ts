import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { plainAddress } from '../../listening/index.ts';

/** Data connections use these ports; none given = any free port. */
export type PortRange = { readonly first: number; readonly last: number } | undefined;

/** One data connection of a client is expected on the port. */
export class PassivePort {
  readonly port: number;
  readonly #server: Server;
  readonly #arrived = Promise.withResolvers<Socket>();

  private constructor(server: Server, peer: string) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.#arrived.promise.catch(() => {});
    server.on('connection', (socket) => {
      socket.on('error', () => {});
      // Nobody else may put a file in the place of the client's.
      if (plainAddress(socket.remoteAddress ?? '') !== peer) {
        socket.destroy();
        return;
      }
      socket.pause();
      server.close();
      this.#arrived.resolve(socket);
    });
    server.on('error', (error) => this.#arrived.reject(error));
  }

  /** @param peer address of the client. @returns undefined: all ports of the range are in use */
  static async open(
    host: string,
    range: PortRange,
    { peer, random }: { readonly peer: string; readonly random: () => number },
  ): Promise<PassivePort | undefined> {
    const { first, last } = range ?? { first: 0, last: 0 };
    const count = last - first + 1;
    const from = Math.floor(random() * count);
    for (let step = 0; step < count; step += 1) {
      const server = await listening(host, first + ((from + step) % count));
      if (server) return new PassivePort(server, plainAddress(peer));
    }
    return undefined;
  }

  /** Returns the data connection; what has arrived on it waits. @throws Error when none comes in time, or the port is closed */
  async accept(limitMs: number): Promise<Socket> {
    const timer = setTimeout(() => this.close(), limitMs);
    try {
      return await this.#arrived.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the wait, and a connection that came and was not accepted. */
  close(): void {
    this.#server.close();
    this.#arrived.reject(new Error('no data connection came'));
    this.#arrived.promise.then(
      (socket) => socket.destroy(),
      () => {},
    );
  }
}

function listening(host: string, port: number): Promise<Server | undefined> {
  const server = createServer({ pauseOnConnect: true });
  server.maxConnections = 4;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(port, host, 4, () => {
      server.removeAllListeners('error');
      resolve(server);
    });
  });
}
