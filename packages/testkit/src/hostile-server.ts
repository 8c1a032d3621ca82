import type { AddressInfo, Server, Socket } from 'node:net';

type Sink = { write(text: string | Uint8Array): unknown; once(event: 'drain', listener: () => void): unknown } & {
  readonly destroyed: boolean;
};

/** Sends for ever, as fast as it is taken. */
export function flood(to: Sink, piece: string | Uint8Array): void {
  while (!to.destroyed) {
    if (to.write(piece)) continue;
    to.once('drain', () => setImmediate(flood, to, piece));
    return;
  }
}

/** Servers of a test that say what no honest one does, all of them at free ports of loopback. */
export class HostileServers {
  readonly #closers: (() => void)[] = [];

  /** @returns the port */
  async listen(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    this.#closers.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return (server.address() as AddressInfo).port;
  }

  /** Does something every few milliseconds, for ever. */
  keep(doing: () => unknown): void {
    const timer = setInterval(doing, 5);
    this.#closers.push(() => clearInterval(timer));
  }

  close(): void {
    for (const close of this.#closers.splice(0)) close();
  }
}
