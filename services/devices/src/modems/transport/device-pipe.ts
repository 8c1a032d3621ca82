import { Duplex } from 'node:stream';
import { CommunicationFailure } from '../../acquisition/index.ts';

/** A pipe uses this of the connection that it runs through. */
export type PipeCarrier = {
  /** @returns false when the connection takes no more for now; `drained` of the pipe follows */
  send(bytes: Uint8Array): boolean;
  /** Returns whether more may come. */
  flow(isWanted: boolean): void;
  released(): void;
};

/** Carries bytes to and from a logger behind a connected device. It ends with the connection, not the connection with it. */
export class DevicePipe extends Duplex {
  readonly #carrier: PipeCarrier;
  #waiting: (() => void) | undefined;

  constructor(carrier: PipeCarrier) {
    super();
    this.#carrier = carrier;
  }

  received(bytes: Uint8Array): void {
    if (!this.push(bytes)) this.#carrier.flow(false);
  }

  drained(): void {
    const go = this.#waiting;
    this.#waiting = undefined;
    go?.();
  }

  disconnected(): void {
    this.destroy(new CommunicationFailure('Device disconnected'));
  }

  override _read(): void {
    this.#carrier.flow(true);
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (this.#carrier.send(bytes)) done();
    else this.#waiting = done;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.drained();
    this.#carrier.released();
    done(error);
  }
}
