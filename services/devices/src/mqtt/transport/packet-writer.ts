import type { Socket } from 'node:net';
import { generate, type Packet } from 'mqtt-packet';
import { REASON, type ReasonCode, returnCode } from '../domain/reason.ts';

/** A client that does not read its answers must not fill our memory. */
const MAX_UNSENT_BYTES = 256 * 1024;
const REASON_CHARACTERS = 500;
const TYPES = { puback: 0x40, pubrec: 0x50, pubcomp: 0x70 } as const;

/** Writes answers to a client, those of one moment together. */
export class PacketWriter {
  readonly #socket: Socket;
  #version: 3 | 4 | 5 = 4;
  /** The client wants no texts about reasons. */
  #isTerse = false;
  #isCorked = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  speak(version: 3 | 4 | 5, isTerse: boolean): void {
    this.#version = version;
    this.#isTerse = isTerse;
  }

  get isFive(): boolean {
    return this.#version === 5;
  }

  send(packet: Packet): void {
    this.#write(generate(packet, { protocolVersion: this.#version }));
  }

  /** Answers a PUBLISH or PUBREL; without a refusal: it was done. */
  settle(cmd: keyof typeof TYPES, messageId: number, refusal?: { code: ReasonCode; message: string }): void {
    if (refusal && this.isFive)
      this.send({ cmd, messageId, reasonCode: refusal.code, properties: this.#reason(refusal.message) });
    else this.#write(Buffer.from([TYPES[cmd], 2, messageId >> 8, messageId & 0xff]));
  }

  refuseConnection(code: ReasonCode, message: string): void {
    const returned = returnCode(code);
    if (this.isFive)
      this.send({ cmd: 'connack', sessionPresent: false, reasonCode: code, properties: this.#reason(message) });
    else if (returned !== undefined) this.send({ cmd: 'connack', sessionPresent: false, returnCode: returned });
  }

  /** MQTT 3.1.1 has no word for it. */
  disconnect(code: ReasonCode, message: string): void {
    if (!this.isFive) return;
    // The codes of some refusals of messages and connections are none of a DISCONNECT.
    const isOne = code !== REASON.credentials && code !== REASON.clientId && code !== REASON.version;
    const reasonCode = code === REASON.unavailable ? REASON.busy : isOne ? code : REASON.notAuthorized;
    this.send({ cmd: 'disconnect', reasonCode, properties: this.#reason(message) });
  }

  #reason(message: string): { reasonString?: string } {
    return this.#isTerse
      ? {}
      : { reasonString: message.toWellFormed().replaceAll('\0', '').slice(0, REASON_CHARACTERS) };
  }

  #write(bytes: Buffer): void {
    const socket = this.#socket;
    if (!socket.writable) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      socket.cork();
      setImmediate(() => {
        this.#isCorked = false;
        socket.uncork();
      });
    }
    socket.write(bytes);
    if (socket.writableLength > MAX_UNSENT_BYTES) socket.destroy();
  }
}
