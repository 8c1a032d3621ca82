import type { Duplex } from 'node:stream';
import {
  BROADCAST,
  Deframer,
  decodePacket,
  EXPECT,
  encodePacket,
  FAILURE,
  failureText,
  frame,
  HELLO,
  type Kind,
  LINK_STATE,
  ONE_WAY,
  type Packet,
  PakBusError,
  PLEASE_WAIT,
  PROTOCOL,
  responseType,
  WAKE_UP,
} from '@catchment/pakbus';
import { CommunicationFailure } from '../../acquisition/index.ts';

type LinkOptions = {
  /** Our own address. */
  readonly own: number;
  /** The line leads to this node next, and through it to the logger. */
  readonly neighbour: number;
  readonly node: number;
  /** A response may take so long. */
  readonly responseMs: number;
  readonly signal: AbortSignal;
};

const TRIES = 4;
/** Loggers ask for at most this, and may ask again. */
const WAIT_SECONDS_MAX = 30;
const WAITS = 10;
/** The link takes so many bytes since the last response that belong to none. */
const NOISE_BYTES_MAX = 1024 * 1024;
const HOP_METRIC = 2;
const VERIFY_SECONDS = 1_800;
/** An answer to a hello says this of the asker's interval. */
const VERIFY_PART = 2.5;
const NOTHING = new Uint8Array();

type Pending = {
  readonly protocol: number;
  readonly type: number;
  readonly transaction: number;
  /** @returns whether it was what is waited for */
  take(body: Uint8Array): boolean;
  fail(error: unknown): void;
  wait(ms: number): void;
  waits: number;
};

/** No response came in time: whoever may asks again. */
class NoAnswer extends CommunicationFailure {}

/** Sends commands to a logger, one at a time, and takes the response of each. Whatever else comes is left out. */
export class PakBusLink {
  readonly #pipe: Duplex;
  readonly #options: LinkOptions;
  readonly #deframer = new Deframer();
  #transaction = 0;
  #pending: Pending | undefined;
  #noiseBytes = 0;
  #ended: unknown;
  readonly #onData = (bytes: Uint8Array) => this.#received(bytes);
  readonly #onEnd = () => this.#end(new CommunicationFailure('connection was closed by the logger'));
  readonly #onAbort = () => this.#end(this.#options.signal.reason);

  constructor(pipe: Duplex, options: LinkOptions) {
    this.#pipe = pipe;
    this.#options = options;
    pipe.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onEnd).on('error', this.#onEnd);
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (options.signal.aborted) this.#onAbort();
    else if (pipe.destroyed) this.#onEnd();
    else pipe.write(WAKE_UP);
  }

  /** @throws CommunicationFailure when nobody answers */
  async hello(): Promise<void> {
    await this.request(HELLO, { isRouter: false, hopMetric: HOP_METRIC, verifySeconds: VERIFY_SECONDS });
  }

  /** Returns a number for commands that are one transaction. */
  newTransaction(): number {
    this.#transaction = (this.#transaction % 0xff) + 1;
    return this.#transaction;
  }

  /**
   * @param options.transaction of several commands together; `isAnswer` then distinguishes their responses
   * @param options.isOnce the command is not sent again: when no response comes, nobody knows whether it was obeyed
   * @throws CommunicationFailure
   */
  async request<C, R>(
    kind: Kind<C, R>,
    command: C,
    options: { transaction?: number; isAnswer?: (response: R) => boolean; isOnce?: boolean } = {},
  ): Promise<R> {
    const tries = options.isOnce ? 1 : TRIES;
    for (let tried = 1; ; tried++) {
      try {
        return await this.#ask(kind, command, options);
      } catch (error) {
        if (!(error instanceof NoAnswer) || tried === tries) throw error;
      }
    }
  }

  /** Informs the logger that the line ends. The pipe is the caller's to destroy. */
  close(): void {
    const bye = { protocol: PROTOCOL.control, message: { type: ONE_WAY.bye, transaction: 0, body: NOTHING } };
    if (!this.#ended) this.#send({ ...bye, linkState: LINK_STATE.finished, expect: EXPECT.last });
    this.#end(new CommunicationFailure('session is over'));
  }

  #ask<C, R>(
    kind: Kind<C, R>,
    command: C,
    { transaction = this.newTransaction(), isAnswer }: { transaction?: number; isAnswer?: (response: R) => boolean },
  ): Promise<R> {
    const { responseMs } = this.#options;
    return new Promise<R>((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const settle = () => {
        clearTimeout(timer);
        this.#pending = undefined;
      };
      const fail = (error: unknown) => {
        settle();
        reject(error);
      };
      const silent = () => fail(new NoAnswer('logger does not answer'));
      let timer = setTimeout(silent, responseMs);
      this.#pending = {
        protocol: kind.protocol,
        type: kind.type,
        transaction,
        waits: 0,
        fail,
        wait: (ms) => {
          clearTimeout(timer);
          timer = setTimeout(silent, ms + responseMs);
        },
        take: (body) => {
          const response = kind.decodeResponse(body);
          if (isAnswer && !isAnswer(response)) return false;
          settle();
          resolve(response);
          return true;
        },
      };
      // The first packet of a link is of a logger that calls.
      const isHello = kind.type === HELLO.type && kind.protocol === PROTOCOL.control;
      const link = isHello
        ? { linkState: LINK_STATE.ring, expect: EXPECT.more }
        : { linkState: LINK_STATE.ready, expect: EXPECT.neutral };
      const message = { type: kind.type, transaction, body: kind.encodeCommand(command) };
      this.#send({ ...link, protocol: kind.protocol, message });
    });
  }

  #send(packet: Pick<Packet, 'linkState' | 'expect' | 'protocol' | 'message'>): void {
    const { own, neighbour, node } = this.#options;
    const ends = { to: { neighbour, node }, from: { neighbour: own, node: own }, hops: 0 };
    if (this.#pipe.writable) this.#pipe.write(frame(encodePacket({ ...packet, ...ends })));
  }

  #received(bytes: Uint8Array): void {
    this.#noiseBytes += bytes.length;
    for (const packet of this.#deframer.push(bytes)) {
      try {
        if (this.#handle(decodePacket(packet))) this.#noiseBytes = 0;
      } catch (error) {
        // It has a right signature: that was not the line.
        const words = error instanceof PakBusError ? error.message : 'unknown content';
        this.#pending?.fail(new CommunicationFailure(`logger sent what is no PakBus: ${words}`, { cause: error }));
      }
    }
    if (this.#noiseBytes > NOISE_BYTES_MAX) this.#end(new CommunicationFailure('connection brings what is no PakBus'));
  }

  /** @returns whether it was the response */
  #handle({ message, to, from, protocol, linkState }: Packet): boolean {
    const { own, node } = this.#options;
    if (to.node !== own && to.node !== BROADCAST) return false;
    if (!message) {
      if (linkState === LINK_STATE.ring) {
        this.#send({ linkState: LINK_STATE.ready, expect: EXPECT.last, protocol: PROTOCOL.control });
      }
      return false;
    }
    const pending = this.#pending;
    if (protocol === PROTOCOL.control && message.type === ONE_WAY.failure && pending && to.node === own) {
      const failure = FAILURE.decode(message.body);
      if (failure.to === node && failure.protocol === pending.protocol)
        pending.fail(new NoAnswer(failureText(failure.code)));
      return false;
    }
    if (from.node !== node) return false;
    if (protocol === PROTOCOL.control && message.type === HELLO.type) {
      this.#answerHello(message);
      return false;
    }
    if (!pending || message.transaction !== pending.transaction || protocol !== pending.protocol) return false;
    if (message.type === ONE_WAY.pleaseWait) {
      const { type, seconds } = PLEASE_WAIT.decode(message.body);
      if (type === pending.type && pending.waits++ < WAITS) pending.wait(Math.min(seconds, WAIT_SECONDS_MAX) * 1_000);
      return false;
    }
    return message.type === responseType(pending.type) && pending.take(message.body);
  }

  #answerHello({ transaction, body }: { transaction: number; body: Uint8Array }): void {
    const { hopMetric, verifySeconds } = HELLO.decodeCommand(body);
    const response = { isRouter: false, hopMetric, verifySeconds: Math.floor(verifySeconds / VERIFY_PART) };
    const message = { type: responseType(HELLO.type), transaction, body: HELLO.encodeResponse(response) };
    this.#send({ linkState: LINK_STATE.ready, expect: EXPECT.neutral, protocol: PROTOCOL.control, message });
  }

  #end(reason: unknown): void {
    if (this.#ended) return;
    this.#ended = reason;
    this.#pending?.fail(reason);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#pipe.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
  }
}
