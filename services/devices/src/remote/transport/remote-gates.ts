import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '@catchment/telemetry';
import { isAllowed } from '../../listening/index.ts';
import type { ModemServer } from '../../modems/index.ts';
import type { RemoteSession } from '../domain/remote-session.ts';
import { noPort, type OpenRemotes, opened, remotesToOpen, served } from '../usecases/open-remotes.ts';

export type RemoteGatesDeps = OpenRemotes & {
  readonly modems: Pick<ModemServer, 'openPipe'>;
  readonly host: string;
  readonly ports: { readonly first: number; readonly last: number };
  readonly log: Logger;
};

type Gate = {
  readonly session: RemoteSession;
  readonly server: Server;
  readonly port: number;
  readonly ends: NodeJS.Timeout;
  client: Socket | undefined;
};

const KEEP_ALIVE_MS = 30_000;

/** Holds temporary ports open to devices that are connected to this process (docs/reference/devices.md#remote-access). */
export class RemoteGates {
  readonly #deps: RemoteGatesDeps;
  readonly #gates = new Map<string, Gate>();
  #work: Promise<void> = Promise.resolve();
  /** One refresh follows the current refresh, however many changes ask for it. */
  #next: Promise<void> | undefined;

  constructor(deps: RemoteGatesDeps) {
    this.#deps = deps;
  }

  /** Opens and closes the gates as they are stored, one refresh after the other. */
  refresh(): Promise<void> {
    this.#next ??= this.#work.then(async () => {
      this.#next = undefined;
      await this.#follow().catch((err: unknown) => {
        this.#deps.log.warn({ err }, 'remote access could not be looked up');
      });
    });
    this.#work = this.#next;
    return this.#work;
  }

  async close(): Promise<void> {
    await this.#work;
    for (const gate of [...this.#gates.values()]) this.#shut(gate);
  }

  async #follow(): Promise<void> {
    const wanted = new Map((await remotesToOpen(this.#deps)).map((session) => [session.sourceId, session]));
    for (const gate of [...this.#gates.values()])
      if (wanted.get(gate.session.sourceId)?.endsMs !== gate.session.endsMs) this.#shut(gate);
    for (const session of wanted.values()) if (!this.#gates.has(session.sourceId)) await this.#open(session);
  }

  async #open(session: RemoteSession): Promise<void> {
    const { log, now } = this.#deps;
    const server = createServer((socket) => this.#accept(session.sourceId, socket));
    const port = await this.#listen(server);
    if (port === undefined) return noPort(this.#deps, session);
    const ends = setTimeout(() => void this.refresh(), Math.max(0, session.endsMs - now()) + 1);
    const gate: Gate = { session, server, port, ends, client: undefined };
    this.#gates.set(session.sourceId, gate);
    log.info({ sourceId: session.sourceId, port, cidr: session.cidr }, 'remote access opened');
    if (!(await opened(this.#deps, session, port))) this.#shut(gate);
  }

  async #listen(server: Server): Promise<number | undefined> {
    const { host, ports } = this.#deps;
    for (let port = ports.first; port <= ports.last; port += 1) {
      const isOpen = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false));
        server.listen(port, host, () => resolve(true));
      });
      server.removeAllListeners('error');
      if (!isOpen) continue;
      server.on('error', (err) => this.#deps.log.warn({ err }, 'remote client could not be accepted'));
      return (server.address() as AddressInfo).port;
    }
    return undefined;
  }

  #accept(sourceId: string, socket: Socket): void {
    socket.on('error', () => {});
    const { log, modems } = this.#deps;
    const gate = this.#gates.get(sourceId);
    const address = socket.remoteAddress ?? '';
    const mayConnect = gate !== undefined && isAllowed([gate.session.cidr], address);
    const pipe = mayConnect && !gate.client ? modems.openPipe(sourceId) : 'busy';
    if (!gate || pipe === 'busy' || pipe === 'away') {
      const reason = !mayConnect
        ? 'its address is not allowed'
        : pipe === 'away'
          ? 'the device is away'
          : 'it is in use';
      log.warn({ sourceId, address, reason }, 'remote client refused');
      socket.destroy();
      return;
    }
    gate.client = socket;
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.setNoDelay(true);
    const over = Promise.allSettled([pipeline(socket, pipe), pipeline(pipe, socket)]);
    this.#serve(gate, over).catch((err: unknown) =>
      log.warn({ err, sourceId }, 'state of remote access was not stored'),
    );
    pipe.on('close', () => socket.destroy());
    socket.on('close', () => pipe.destroy());
  }

  async #serve({ session, port, ...gate }: Gate, over: Promise<unknown>): Promise<void> {
    this.#deps.log.info({ sourceId: session.sourceId, address: gate.client?.remoteAddress }, 'remote client connected');
    const reporting = served(this.#deps, session, { port, isConnected: true });
    await over;
    const current = this.#gates.get(session.sourceId);
    if (current) current.client = undefined;
    await reporting.finally(() => served(this.#deps, session, { port, isConnected: false }));
  }

  #shut({ session, server, client, ends }: Gate): void {
    clearTimeout(ends);
    this.#gates.delete(session.sourceId);
    server.close();
    client?.destroy();
    this.#deps.log.info({ sourceId: session.sourceId }, 'remote access closed');
  }
}
