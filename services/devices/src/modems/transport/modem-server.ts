import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Listener, type Listening, listenOn } from '../../listening/index.ts';
import { followDevices, renewLease } from '../../registry/index.ts';
import { CallbackConnection } from './callback-connection.ts';
import type { DevicePipe } from './device-pipe.ts';
import type { ConnectionDeps, LiveConnection } from './live-connection.ts';
import { ModemConnection } from './modem-connection.ts';

/** Devices that connect to a listener speak these protocols, by the transport of their sources. */
const PROTOCOLS = { Scout: ModemConnection, TcpCallback: CallbackConnection } as const;
export type DeviceProtocol = keyof typeof PROTOCOLS;
/** A device gets this answer when there are too many. */
const TOO_MANY: Readonly<Record<DeviceProtocol, string>> = {
  Scout: `${JSON.stringify({ type: 'error', code: 'TOO_MANY_CONNECTIONS', message: 'try again later' })}\n`,
  TcpCallback: '',
};

/** The beat is well below the lease, so that one late beat kills nothing. */
const HEARTBEAT_MS = 3_000;

/** Accepts modems and loggers on its listeners, keeps the process's lease, and lets go of what it does not own any more. */
export class ModemServer {
  readonly #deps: ConnectionDeps;
  readonly #connections = new Map<LiveConnection, Promise<void>>();
  readonly #listening: Listening[] = [];
  readonly #stop = new AbortController();
  readonly #loops: Promise<void>[] = [];

  constructor(deps: ConnectionDeps) {
    this.#deps = deps;
  }

  /** Takes the lease, and ends what dead processes left. */
  async start(): Promise<void> {
    await this.#beat();
    this.#loops.push(
      this.#keepLease(),
      followDevices(this.#deps, (...of) => this.#refresh(...of), this.#stop.signal),
    );
  }

  /** Ends every connection after the message that it works on. */
  async close(): Promise<void> {
    for (const listening of this.#listening) listening.refuse();
    for (const connection of this.#connections.keys()) connection.drain();
    await Promise.all(this.#connections.values());
    await Promise.all(this.#listening.map((listening) => listening.close()));
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  /**
   * Opens a pipe to the logger of a source, for one user at a time.
   * @returns 'away' when its device is not connected to this process; 'busy' while somebody else has it
   */
  openPipe(sourceId: string): DevicePipe | 'away' | 'busy' {
    for (const connection of this.#connections.keys())
      if (connection.sourceIds.includes(sourceId)) return connection.openPipe() ?? 'busy';
    return 'away';
  }

  /** @returns the port */
  async listen(protocol: DeviceProtocol, listener: Listener): Promise<number> {
    const { admission, log } = this.#deps;
    const deps = { admission, log, what: protocol, tooMany: TOO_MANY[protocol], answersAfterEnd: protocol === 'Scout' };
    const listening = await listenOn(listener, deps, (socket) => this.#accept(socket, protocol));
    this.#listening.push(listening);
    return listening.port;
  }

  #accept(socket: Socket, protocol: DeviceProtocol): void {
    const connection: LiveConnection = new PROTOCOLS[protocol](socket, randomUUID(), this.#deps);
    const running = connection.run().finally(() => this.#connections.delete(connection));
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
    const held = [...this.#connections.keys()];
    // One that is accepted meanwhile may not be among those that are registered.
    const accepted = held.filter((connection) => connection.deviceId !== undefined);
    const registered = await renewLease(
      this.#deps,
      held.map((connection) => connection.connectionId),
    );
    for (const connection of accepted) {
      if (!registered.has(connection.connectionId)) {
        connection.close('REPLACED', 'another connection of this device took over');
      }
    }
  }

  /** @param connectionId the device's new connection, if that is what has changed: it knows by itself */
  #refresh(deviceId?: string, connectionId?: string): void {
    if (connectionId === undefined) this.#deps.changed();
    for (const connection of this.#connections.keys()) {
      if (connection.deviceId === undefined || connection.connectionId === connectionId) continue;
      if (deviceId !== undefined && connection.deviceId !== deviceId) continue;
      connection
        .refresh()
        .catch((err: unknown) => this.#deps.log.warn({ err, deviceId }, 'device could not be read again'));
    }
  }
}
