import { type IConnectPacket, type Packet, parser } from 'mqtt-packet';
import { FrameReader } from '../domain/frame-reader.ts';
import { Ending, REASON } from '../domain/reason.ts';

export type {
  IConnectPacket as Connect,
  IPublishPacket as Publish,
  ISubscribePacket as Subscribe,
  Packet,
} from 'mqtt-packet';

/** Reads packets of a client; the first packet says which version the others have. */
export class PacketReader {
  readonly frames: FrameReader;
  #parser = parser();
  #packet: Packet | undefined;
  #error: Error | undefined;

  constructor(maxBytes: number) {
    this.frames = new FrameReader(maxBytes);
    this.#listen();
  }

  /** All further packets are of this version. */
  speak(protocolVersion: NonNullable<IConnectPacket['protocolVersion']>): void {
    this.#parser = parser({ protocolVersion });
    this.#listen();
  }

  /** @throws Ending */
  *push(chunk: Buffer): Generator<Packet> {
    for (const frame of this.frames.push(chunk)) yield this.#parse(frame);
  }

  #parse(frame: Buffer): Packet {
    try {
      this.#packet = undefined;
      this.#error = undefined;
      const left = this.#parser.parse(frame);
      if (this.#error !== undefined) throw this.#error;
      // Its length was that of the frame: what is left was not understood.
      if (left > 0 || this.#packet === undefined) throw new Error('the packet does not end where it says');
      return this.#packet;
    } catch (error) {
      const { message } = error as Error;
      const isVersion = /protocol ?(?:version|id)/i.test(message);
      throw new Ending(isVersion ? REASON.version : REASON.malformed, message);
    }
  }

  #listen(): void {
    this.#parser.on('packet', (packet: Packet) => {
      this.#packet = packet;
    });
    this.#parser.on('error', (error: Error) => {
      this.#error = error;
    });
  }
}
