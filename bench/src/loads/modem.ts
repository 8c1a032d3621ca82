import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { messageBody } from './write-scenarios.ts';

/** Returns 14 digits and their check digit. */
export function imei(n: number): string {
  const digits = `35${String(n).padStart(12, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Sends when it is asked to, however many messages are unanswered. */
export class Modem {
  readonly latencies: number[] = [];
  readonly #key: string;
  readonly #sentAt = new Map<number, number>();
  #socket: Socket | undefined;
  #seq = 0;
  #acked = 0;
  #text = '';

  constructor(key: string) {
    this.#key = key;
  }

  get waiting(): number {
    return this.#seq - this.#acked;
  }

  /** Resolves when it is welcome; a busy service is tried again, also one that closes the connection later. */
  async open(port: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let isWelcome = false;
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket = socket;
    this.#text = '';
    socket.on('error', () => resolve(false));
    socket.on('close', () => {
      resolve(false);
      if (isWelcome && this.#socket === socket) void this.open(port);
    });
    socket.on('data', (chunk: Buffer) => this.#read(chunk, resolve));
    await Promise.race([once(socket, 'connect').catch(() => {}), promise]);
    socket.write(`{"type":"ident","deviceKey":"${this.#key}","session":"bench"}\n`);
    isWelcome = await promise;
    if (isWelcome) {
      // A connection that broke has left these.
      for (const seq of this.#sentAt.keys()) this.#write(seq);
      return;
    }
    await delay(100 + Math.random() * 900);
    await this.open(port);
  }

  send(): void {
    this.#seq += 1;
    this.#sentAt.set(this.#seq, performance.now());
    this.#write(this.#seq);
  }

  #write(seq: number): void {
    this.#socket?.write(`{"type":"data","seq":${seq},"jts":${messageBody(seq)}}\n`);
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #read(chunk: Buffer, welcome: (isWelcome: boolean) => void): void {
    const lines = (this.#text + chunk.toString('latin1')).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as { type: string; seq: number; retryAfterSeconds: number };
      if (message.type === 'ack') this.#settled(message.seq);
      else if (message.type === 'busy') setTimeout(() => this.#write(message.seq), message.retryAfterSeconds * 1_000);
      else if (message.type === 'welcome') welcome(true);
      else if (message.type !== 'config' && message.type !== 'error') throw new Error(`a modem received: ${line}`);
    }
  }

  #settled(seq: number): void {
    const sentAt = this.#sentAt.get(seq);
    if (sentAt === undefined) return;
    this.#sentAt.delete(seq);
    this.#acked += 1;
    this.latencies.push(performance.now() - sentAt);
  }
}
