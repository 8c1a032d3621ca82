import type { Socket } from 'node:net';
import type { Admission, MessageMemory } from '../../listening/index.ts';
import { type Accepted, type Ident, standingOf } from '../../registry/index.ts';
import { type IdentifyDeps, identify, type Refusal } from '../usecases/identify.ts';
import type { DataDeps } from '../usecases/take-data.ts';
import { DevicePipe, type PipeCarrier } from './device-pipe.ts';

export type ConnectionDeps = IdentifyDeps &
  DataDeps & {
    readonly admission: Admission;
    /** Memory for all messages that are being read. */
    readonly memory: MessageMemory;
    /** Time for the identification, docs/reference/devices.md#connections. */
    readonly identLimitMs: number;
    /** A device has connected, and is registered. */
    readonly connected: (accepted: Pick<Accepted, 'device' | 'sources'>) => void;
    /** A connection has ended; resolves once that is recorded. */
    readonly release: (ended: { readonly deviceId: string; readonly connectionId: string }) => Promise<void>;
    /** Something about devices was changed by any process. */
    readonly changed: () => void;
  };

const CLOSING_MS = 1_000;
const ENDED = {
  REPLACED: 'another connection of this device took over',
  UNASSIGNED: 'the device is not assigned to a source',
} as const;

/** The device is connected to this process, or about to identify itself. */
export abstract class LiveConnection {
  readonly connectionId: string;
  protected abstract readonly what: 'modem' | 'logger';
  protected readonly socket: Socket;
  protected readonly deps: ConnectionDeps;
  protected accepted: Accepted | undefined;
  protected pipe: DevicePipe | undefined;
  protected isClosing = false;
  /** Ends the wait for the turn of an identification. */
  readonly #draining = new AbortController();
  #reading: Promise<void> = Promise.resolve();
  /** One reading follows the current one, however many changes ask for it: what was read before a change never comes last. */
  #nextReading: Promise<void> | undefined;

  constructor(socket: Socket, connectionId: string, deps: ConnectionDeps) {
    this.socket = socket;
    this.connectionId = connectionId;
    this.deps = deps;
  }

  /** Known once the device is accepted. */
  get deviceId(): string | undefined {
    return this.accepted?.device.deviceId;
  }

  /** Returns sources that use the device, oldest first; none before it is accepted. */
  get sourceIds(): readonly string[] {
    return this.accepted?.sources.map(({ sourceId }) => sourceId) ?? [];
  }

  /** Resolves when the connection has ended and its end is recorded. Never rejects. */
  abstract run(): Promise<void>;

  /** Sends the device the reason, where its protocol can, and ends the connection. */
  abstract close(code: string, message: string): void;

  /** Finishes what is in work, and ends the connection. */
  drain(): void {
    this.#draining.abort();
  }

  /** Something about the device has changed: is this still its connection, has it a source? */
  async refresh(): Promise<void> {
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = undefined;
      return this.#read();
    });
    // The caller gets the failure of its reading; the next reading only follows it.
    this.#reading = this.#nextReading.catch(() => {});
    await this.#nextReading;
  }

  async #read(): Promise<void> {
    const { accepted } = this;
    if (!accepted || this.isClosing) return;
    const standing = await standingOf(this.deps, accepted, this.connectionId);
    if (typeof standing === 'string') return this.close(standing, ENDED[standing]);
    this.accepted = { ...accepted, ...standing };
  }

  /**
   * Opens a pipe to what is behind the device, of one user at a time. Destroying it leaves the device connected.
   * @returns undefined while somebody else has it, or no device is accepted
   */
  openPipe(): DevicePipe | undefined {
    if (!this.accepted || this.pipe || this.isClosing || !this.socket.writable) return undefined;
    const carrier = this.carrier();
    const released = () => {
      this.pipe = undefined;
      carrier.released();
    };
    this.pipe = new DevicePipe({ ...carrier, released });
    return this.pipe;
  }

  /** What carries the bytes of a pipe that is opened now. */
  protected abstract carrier(): PipeCarrier;

  protected identify(ident: Ident | undefined, noIdent: string): Promise<Accepted | { readonly refusal: Refusal }> {
    const { what, connectionId, socket } = this;
    const address = socket.remoteAddress ?? '';
    return identify(this.deps, ident, { what, connectionId, address, noIdent, signal: this.#draining.signal });
  }

  protected endSocket(): void {
    if (this.socket.destroyed) return;
    if (!this.socket.writableEnded) this.socket.end();
    // A peer that never closes its side does not keep the connection.
    setTimeout(() => this.socket.destroy(), CLOSING_MS).unref();
  }

  /** Records the end of the connection. */
  protected async release(): Promise<void> {
    const { deviceId } = this;
    if (deviceId === undefined) return;
    const { log } = this.deps;
    log.info({ deviceId, deviceKey: this.accepted?.device.deviceKey }, `${this.what} disconnected`);
    // The next sweep removes the connection if this fails.
    await this.deps
      .release({ deviceId, connectionId: this.connectionId })
      .catch((err: unknown) => log.warn({ err, deviceId }, 'end of a connection not recorded yet'));
  }
}
