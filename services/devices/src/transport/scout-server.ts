import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { sweepModems } from '../usecases/modem-registry.ts';
import { type ConnectionDeps, ModemConnection } from './modem-connection.ts';

export type ScoutListener = {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** PEM; present = TLS only. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
};

/** Well below the lease, so that one late beat kills nothing. */
const HEARTBEAT_MS = 3_000;
const LISTEN_RETRY_MS = 500;
const TLS_HANDSHAKE_MS = 10_000;

/** Accepts modems on its listeners, keeps the process's lease, and lets go of what it does not own any more. */
export class ScoutServer {
  readonly #deps: ConnectionDeps;
  readonly #connections = new Map<ModemConnection, Promise<void>>();
  readonly #servers: Server[] = [];
  readonly #stop = new AbortController();
  readonly #loops: Promise<void>[] = [];

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  /** Takes the lease, ends what dead processes left, then listens. @returns the ports, in the order of the listeners */
  async open(listeners: readonly ScoutListener[]): Promise<number[]> {
    await this.#beat();
    this.#loops.push(this.#keepLease(), this.#listenForDevices());
    const ports: number[] = [];
    for (const listener of listeners) ports.push(await this.#listen(listener));
    return ports;
  }

  /** Ends every connection after the message that it works on. */
  async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const connection of this.#connections.keys()) connection.drain();
    await Promise.all(this.#connections.values());
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  async #listen({ host, port, tls }: ScoutListener): Promise<number> {
    const accept = (socket: Socket) => this.#accept(socket);
    const server: Server = tls
      ? createTlsServer({ ...tls, handshakeTimeout: TLS_HANDSHAKE_MS }, accept)
      : createServer(accept);
    server.maxConnections = this.#deps.admission.maxConnections;
    server.on('tlsClientError', (err) => this.#deps.log.debug({ err }, 'TLS handshake failed'));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    // No file descriptor is left, say: without a listener it would end the process.
    server.on('error', (err) => this.#deps.log.error({ err }, 'connection could not be accepted'));
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  #accept(socket: Socket): void {
    // Without a listener an early reset would end the process.
    socket.on('error', () => {});
    const { admission, log } = this.#deps;
    const address = socket.remoteAddress ?? '';
    if (this.#stop.signal.aborted || !admission.enter(address)) {
      const code = 'TOO_MANY_CONNECTIONS';
      log.warn({ address, code }, 'modem refused');
      socket.end(`${JSON.stringify({ type: 'error', code, message: 'try again later' })}\n`);
      socket.destroySoon();
      return;
    }
    const connection = new ModemConnection(socket, randomUUID(), this.#deps);
    const running = connection.run().finally(() => {
      admission.leave(address);
      this.#connections.delete(connection);
    });
    this.#connections.set(connection, running);
  }

  async #keepLease(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(HEARTBEAT_MS, undefined, { signal }).catch(() => {});
      if (!signal.aborted) {
        await this.#beat().catch((err: unknown) => this.#deps.log.warn({ err }, 'lease could not be renewed'));
      }
    }
  }

  async #beat(): Promise<void> {
    const { store, instanceId } = this.#deps;
    await store.heartbeat(instanceId);
    const held = [...this.#connections.keys()];
    await sweepModems(
      this.#deps,
      held.map((connection) => connection.connectionId),
    );
    const accepted = held.filter((connection) => connection.deviceId !== undefined);
    const registered = await store.registeredConnections(instanceId);
    for (const connection of accepted) {
      if (!registered.has(connection.connectionId)) {
        connection.close('REPLACED', 'another connection of this device took over');
      }
    }
  }

  /** Receives notifications of changes by any process; after a gap every connection is checked. */
  async #listenForDevices(): Promise<void> {
    const { store, log } = this.#deps;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await store
        .listenForDevices((deviceId) => this.#refresh(deviceId), signal)
        .catch((err: unknown) => log.debug({ err }, 'notifications of devices interrupted'));
      if (!signal.aborted) await sleep(LISTEN_RETRY_MS, undefined, { signal }).catch(() => {});
      this.#refresh(undefined);
    }
  }

  #refresh(deviceId: string | undefined): void {
    for (const connection of this.#connections.keys()) {
      if (connection.deviceId === undefined || (deviceId !== undefined && connection.deviceId !== deviceId)) continue;
      connection
        .refresh()
        .catch((err: unknown) => this.#deps.log.warn({ err, deviceId }, 'device could not be read again'));
    }
  }
}
