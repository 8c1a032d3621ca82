import { CALLBACK_ID_MAX_BYTES, type CallbackId, callbackIdIn } from '../domain/callback-id.ts';
import type { DevicePipe, PipeCarrier } from './device-pipe.ts';
import { LiveConnection } from './live-connection.ts';

/** A packet without an end of line is taken as it is when nothing follows for this long. */
const PACKET_OVER_MS = 500;
const SILENCE_LIMIT_MS = 2 * 3_600_000;
/** A logger sends no more before anybody reads it. */
const MAX_EARLY_BYTES = 4 * 1024;
const MAX_UNSENT_BYTES = 64 * 1024;
const NO_IDENT = `its first ${CALLBACK_ID_MAX_BYTES} bytes have no device id of 15 or 12 digits`;

/** Serves a call-back logger: it says who it is, then the connection is a transparent pipe (docs/reference/devices.md#connections). */
export class CallbackConnection extends LiveConnection {
  protected override readonly what = 'logger';
  readonly #ended = Promise.withResolvers<void>();
  #early: Buffer = Buffer.alloc(0);
  #timer: NodeJS.Timeout | undefined;
  #isIdentifying = true;
  #packetTimer: NodeJS.Timeout | undefined;

  override async run(): Promise<void> {
    const socket = this.socket;
    this.#expect(this.deps.identLimitMs);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('drain', () => this.pipe?.drained());
    socket.on('end', () => this.endSocket());
    socket.on('close', () => this.#ended.resolve());
    if (socket.destroyed) this.#ended.resolve();
    await this.#ended.promise;
    clearTimeout(this.#timer);
    clearTimeout(this.#packetTimer);
    this.pipe?.disconnected();
    await this.release();
  }

  override drain(): void {
    super.drain();
    this.close('RESTARTING');
  }

  /** The protocol has no words: the reason is in the log. */
  override close(code: string): void {
    this.deps.log.debug({ deviceId: this.deviceId, code }, 'connection of a logger is closed');
    this.isClosing = true;
    this.endSocket();
  }

  override openPipe(): DevicePipe | undefined {
    const pipe = super.openPipe();
    if (pipe && this.#early.length > 0) pipe.received(this.#early);
    if (pipe) this.#early = Buffer.alloc(0);
    return pipe;
  }

  protected override carrier(): PipeCarrier {
    const { socket } = this;
    return {
      send: (bytes) => socket.write(bytes) || socket.writableLength < MAX_UNSENT_BYTES,
      flow: (isWanted) => (isWanted ? socket.resume() : socket.pause()),
      released: () => void socket.resume(),
    };
  }

  #take(bytes: Buffer): void {
    if (this.accepted) {
      this.#expect(SILENCE_LIMIT_MS);
      if (this.pipe) this.pipe.received(bytes);
      // The bytes are copied: a part of them would hold them all.
      else this.#early = Buffer.from(Buffer.concat([this.#early, bytes]).subarray(-MAX_EARLY_BYTES));
      return;
    }
    this.#early = Buffer.concat([this.#early, bytes]);
    if (!this.#isIdentifying) {
      // Its identification is being checked.
      if (this.#early.length > MAX_EARLY_BYTES) this.socket.pause();
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
      this.deps.log.warn({ err, deviceKey: id?.deviceKey }, 'logger could not be identified');
      this.close('UNAVAILABLE');
    });
  }

  async #check(id: CallbackId | undefined): Promise<void> {
    const ident = id && { deviceKey: id.deviceKey, secret: id.secret, session: '', software: {} };
    const result = await this.identify(ident, NO_IDENT);
    if ('refusal' in result) return this.close(result.refusal);
    this.accepted = result;
    this.deps.log.info({ deviceKey: result.device.deviceKey, deviceId: this.deviceId }, 'logger connected');
    // It may have gone meanwhile: its end is over, and would not end what begins now.
    if (this.socket.destroyed) return this.release();
    this.#expect(SILENCE_LIMIT_MS);
    this.socket.resume();
    // Its sources may have changed before it was registered for notifications.
    await this.refresh();
    this.deps.connected(result);
  }

  /** Something must come within this time. */
  #expect(limitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close('TIMEOUT'), limitMs);
  }
}
