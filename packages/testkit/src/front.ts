import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

export type Target = { readonly host: string; readonly port: number };

/** A connection ends with `reset` as when a machine or a firewall drops it, with `end` as when the other side closes it. */
export type Ending = 'reset' | 'end';

/** Stands in front of a server and passes bytes on, so that a test can break what goes through it. */
export class Front {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs: Set<readonly [Socket, Socket]>;

  private constructor(server: Server, pairs: Set<readonly [Socket, Socket]>) {
    this.#server = server;
    this.#pairs = pairs;
    this.port = (server.address() as AddressInfo).port;
  }

  /** @param target called at each connection; undefined ends the connection */
  static async open(target: () => Target | Promise<Target>): Promise<Front> {
    const pairs = new Set<readonly [Socket, Socket]>();
    const server = createServer({ noDelay: true }, async (near) => {
      // Errors are what this is for; both sides close together.
      near.on('error', () => {});
      try {
        const far = createConnection({ ...(await target()), noDelay: true });
        const pair = [near, far] as const;
        pairs.add(pair);
        far.on('error', () => near.destroy());
        for (const [left, other] of [
          [near, far],
          [far, near],
        ] as const) {
          left.on('close', () => {
            other.destroy();
            pairs.delete(pair);
          });
          left.pipe(other);
        }
      } catch {
        near.destroy();
      }
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new Front(server, pairs);
  }

  /** Breaks every connection that goes through. @returns how many there were */
  cut(ending: Ending): number {
    const cut = [...this.#pairs];
    for (const socket of cut.flat()) {
      if (ending === 'reset') socket.resetAndDestroy();
      else socket.destroy();
    }
    return cut.length;
  }

  close(): void {
    this.#server.close();
    this.cut('end');
  }
}
