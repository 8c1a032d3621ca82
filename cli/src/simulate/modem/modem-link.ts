import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Address } from '../options.ts';

/** A message of the server. */
export type ServerMessage = Readonly<Record<string, unknown>> & { readonly type: string };

const CONNECT_LIMIT_MS = 10_000;
const MAX_LINE_CHARACTERS = 64 * 1024;

/** Connects to the server: writes messages as lines, and gives messages one by one. */
export class ModemLink {
  readonly #socket: Socket;
  /** True when nothing may follow the part of a message. */
  #isCut = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** @throws Error when the server cannot be reached within 10 s */
  static async open({ host, port }: Address, tls: boolean, signal: AbortSignal): Promise<ModemLink> {
    const socket = tls ? connectTls({ host, port, servername: host }) : connect({ host, port });
    // `once` below rejects with the reason; later errors end the reading.
    socket.on('error', () => {});
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_LIMIT_MS)]);
      await once(socket, tls ? 'secureConnect' : 'connect', { signal: limit });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    return new ModemLink(socket);
  }

  send(message: Readonly<Record<string, unknown>>): void {
    if (this.#socket.writable && !this.#isCut) this.#socket.write(line(message));
  }

  /** Sends the message, or the first part of it, and breaks the connection. @param part from 0 to 1 */
  sendAndCut(message: Readonly<Record<string, unknown>>, part: number): void {
    const bytes = Buffer.from(line(message));
    if (!this.#socket.writable || this.#isCut) return;
    this.#isCut = true;
    this.#socket.write(bytes.subarray(0, Math.ceil(bytes.length * part)), () => this.#socket.destroy());
  }

  /**
   * Ends when the connection does. Lines that are no message are passed over.
   * @throws Error when the connection breaks, or the server sends a line without end
   */
  async *messages(): AsyncGenerator<ServerMessage> {
    let pending = '';
    this.#socket.setEncoding('utf8');
    for await (const chunk of this.#socket) {
      const lines = (pending + String(chunk)).split('\n');
      pending = lines.pop() ?? '';
      if (pending.length > MAX_LINE_CHARACTERS) throw new Error('the server sent a line that is too long');
      for (const text of lines) {
        const message = parse(text);
        if (message) yield message;
      }
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

const line = (message: Readonly<Record<string, unknown>>): string => `${JSON.stringify(message)}\n`;

function parse(text: string): ServerMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
      ? (value as ServerMessage)
      : undefined;
  } catch {
    return undefined;
  }
}
