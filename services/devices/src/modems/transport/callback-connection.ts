import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Accepted, acceptModem, standingOf } from '../../registry/index.ts';
import { CALLBACK_ID_MAX_BYTES, type CallbackId, callbackIdIn } from '../domain/callback-id.ts';
import { DevicePipe } from './device-pipe.ts';
import type { LiveConnection } from './live-connection.ts';
import type { ConnectionDeps } from './modem-connection.ts';

/** A packet without an end of line is taken as it is when nothing follows for this long. */
const PACKET_OVER_MS = 500;
const SILENCE_LIMIT_MS = 2 * 3_600_000;
/** A logger sends no more before anybody reads it. */
const MAX_EARLY_BYTES = 4 * 1024;
const MAX_UNSENT_BYTES = 64 * 1024;
const CLOSING_MS = 1_000;

/** A call-back logger: it says who it is, then the connection is a transparent pipe (docs/reference/devices.md#connections). */
export class CallbackConnection implements LiveConnection {
  readonly connectionId: string;
  readonly #socket: Socket;
  readonly #deps: ConnectionDeps;
  readonly #ended = Promise.withResolvers<void>();
  #accepted: Accepted | undefined;
  #pipe: DevicePipe | undefined;
  #early: Buffer = Buffer.alloc(0);
  #timer: NodeJS.Timeout | undefined;
  #isIdentifying = true;
  #packetTimer: NodeJS.Timeout | undefined;
  readonly #draining = new AbortController();

  constructor(socket: Socket, connectionId: string, deps: ConnectionDeps) {
    this.#socket = socket;
    this.connectionId = connectionId;
    this.#deps = deps;
  }

  get deviceId(): string | undefined {
    return this.#accepted?.device.deviceId;
  }

  get sourceIds(): readonly string[] {
    return this.#accepted?.sources.map(({ sourceId }) => sourceId) ?? [];
  }

  async run(): Promise<void> {
    const socket = this.#socket;
    this.#expect(this.#deps.identLimitMs);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('drain', () => this.#pipe?.drained());
    socket.on('end', () => this.#end());
    socket.on('close', () => this.#ended.resolve());
    if (socket.destroyed) this.#ended.resolve();
    await this.#ended.promise;
    clearTimeout(this.#timer);
    clearTimeout(this.#packetTimer);
    this.#pipe?.disconnected();
    await this.#release();
  }

  drain(): void {
    this.#draining.abort();
    this.close('RESTARTING');
  }

  /** The protocol has no words: the reason is in the log. */
  close(code: string): void {
    this.#deps.log.debug({ deviceId: this.deviceId, code }, 'connection of a logger is closed');
    this.#end();
  }

  async refresh(): Promise<void> {
    const accepted = this.#accepted;
    if (!accepted) return;
    const standing = await standingOf(this.#deps, accepted, this.connectionId);
    if (typeof standing === 'string') return this.close(standing);
    this.#accepted = { ...accepted, ...standing };
  }

  openPipe(): DevicePipe | undefined {
    if (!this.#accepted || this.#pipe || this.#socket.destroyed || this.#socket.writableEnded) return undefined;
    const socket = this.#socket;
    const pipe = new DevicePipe({
      send: (bytes) => socket.write(bytes) || socket.writableLength < MAX_UNSENT_BYTES,
      flow: (isWanted) => (isWanted ? socket.resume() : socket.pause()),
      released: () => {
        this.#pipe = undefined;
        socket.resume();
      },
    });
    this.#pipe = pipe;
    if (this.#early.length > 0) pipe.received(this.#early);
    this.#early = Buffer.alloc(0);
    return pipe;
  }

  #take(bytes: Buffer): void {
    if (this.#accepted) {
      this.#expect(SILENCE_LIMIT_MS);
      if (this.#pipe) this.#pipe.received(bytes);
      // A copy: a part of it would hold all of it.
      else this.#early = Buffer.from(Buffer.concat([this.#early, bytes]).subarray(-MAX_EARLY_BYTES));
      return;
    }
    this.#early = Buffer.concat([this.#early, bytes]);
    if (!this.#isIdentifying) {
      // Its identification is being checked.
      if (this.#early.length > MAX_EARLY_BYTES) this.#socket.pause();
      return;
    }
    clearTimeout(this.#packetTimer);
    const found = callbackIdIn(this.#early, false);
    if (found === 'more')
      this.#packetTimer = setTimeout(() => this.#identify(callbackIdIn(this.#early, true)), PACKET_OVER_MS);
    else this.#identify(found);
  }

  #identify(found: CallbackId | 'more' | undefined): void {
    this.#isIdentifying = false;
    clearTimeout(this.#timer);
    const id = found === 'more' ? undefined : found;
    this.#early = Buffer.from(id?.rest ?? []);
    this.#check(id).catch((err: unknown) => {
      this.#deps.log.warn({ err, deviceKey: id?.deviceKey }, 'logger could not be identified');
      this.close('UNAVAILABLE');
    });
  }

  async #check(id: CallbackId | undefined): Promise<void> {
    const { failedIdents, log, refusalMs } = this.#deps;
    const address = this.#socket.remoteAddress ?? '';
    const ident = id && { deviceKey: id.deviceKey, secret: id.secret, session: '', software: {} };
    const waitMs = failedIdents.delayMs(address, ident);
    if (waitMs === undefined) {
      log.warn({ address }, 'logger refused: too many failures, not checked');
      return this.close('TOO_MANY_FAILURES');
    }
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.#draining.signal }).catch(() => {});
    if (this.#draining.signal.aborted) return;
    if (!ident) {
      log.warn(
        { address },
        `logger refused: its first ${CALLBACK_ID_MAX_BYTES} bytes have no device id of 15 or 12 digits`,
      );
      failedIdents.failed(address);
      return this.close('BAD_IDENT');
    }
    // Every refusal takes the same time, whatever the load.
    const soonest = sleep(refusalMs);
    const result = await acceptModem(this.#deps, ident, { connectionId: this.connectionId, address });
    if ('refused' in result) {
      await soonest;
      log.warn({ address, deviceKey: ident.deviceKey, reason: result.refused }, 'logger refused');
      failedIdents.failed(address);
      return this.close('REFUSED');
    }
    failedIdents.succeeded(address, ident);
    this.#accepted = result;
    log.info({ deviceKey: ident.deviceKey, deviceId: this.deviceId }, 'logger connected');
    // It may have gone meanwhile: its end is over, and would not end what begins now.
    if (this.#socket.destroyed) return this.#release();
    this.#expect(SILENCE_LIMIT_MS);
    this.#socket.resume();
    // Its sources may have changed before it was registered for notifications.
    await this.refresh();
    this.#deps.connected(result);
  }

  /** Something must come within this time. */
  #expect(limitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close('TIMEOUT'), limitMs);
  }

  #end(): void {
    if (this.#socket.destroyed) return;
    if (!this.#socket.writableEnded) this.#socket.end();
    setTimeout(() => this.#socket.destroy(), CLOSING_MS).unref();
  }

  async #release(): Promise<void> {
    const { deviceId } = this;
    if (deviceId === undefined) return;
    this.#deps.log.info({ deviceId, deviceKey: this.#accepted?.device.deviceKey }, 'logger disconnected');
    // The next sweep removes the connection if this fails.
    await this.#deps
      .release({ deviceId, connectionId: this.connectionId })
      .catch((err: unknown) => this.#deps.log.warn({ err, deviceId }, 'end of a connection not recorded yet'));
  }
}
