import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { messageBody } from './write-scenarios.ts';

export const PUBACK_BYTES = 4;
const CONNECT_SECONDS = 60;

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
};

function packet(first: number, body: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = body.length; rest > 0 || length.length === 0; rest = Math.floor(rest / 128))
    length.push((rest % 128) + (rest >= 128 ? 128 : 0));
  return Buffer.concat([Buffer.from([first, ...length]), body]);
}

/** A message of QoS 1. @param nth of the connection; its packet id follows from it */
export function publish(nth: number, body: string): Buffer {
  const id = 1 + (nth % 65_535);
  return packet(0x32, Buffer.concat([text('data'), Buffer.from([id >> 8, id & 0xff]), Buffer.from(body)]));
}

/** Opens a connection of the source with this key, that the service has welcomed. */
export async function connected(port: number, key: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  const head = Buffer.concat([text('MQTT'), Buffer.from([4, 0x82, 0, CONNECT_SECONDS])]);
  socket.write(packet(0x10, Buffer.concat([head, text(`bench-${key}`), text(key)])));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (answer[0] !== 0x20 || answer[3] !== 0) throw new Error(`CONNACK ${answer.toString('hex')}`);
  return socket;
}

/** Sends when it is asked to; messages are acknowledged in their order. */
export class MqttClient {
  readonly latencies: number[] = [];
  readonly #key: string;
  readonly #sentAt: number[] = [];
  #socket: Socket | undefined;
  #sent = 0;
  #bytes = 0;

  constructor(key: string) {
    this.#key = key;
  }

  get waiting(): number {
    return this.#sentAt.length;
  }

  async open(port: number): Promise<void> {
    const socket = await connected(port, this.#key);
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('close', () => {
      if (this.#socket === socket) throw new Error('the service closed a connection of MQTT');
    });
  }

  send(): void {
    this.#sentAt.push(performance.now());
    this.#socket?.write(publish(this.#sent, messageBody(this.#sent)));
    this.#sent += 1;
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #read(chunk: Buffer): void {
    const now = performance.now();
    for (this.#bytes += chunk.length; this.#bytes >= PUBACK_BYTES; this.#bytes -= PUBACK_BYTES)
      this.latencies.push(now - (this.#sentAt.shift() ?? now));
  }
}
