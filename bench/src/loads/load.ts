import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { quantile } from '../watch/in-turns.ts';

export type LoadResult = {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export type LoadRequest = {
  readonly method: 'PUT' | 'POST' | 'GET';
  readonly path: string;
  readonly body?: Buffer | string;
};

/** Every load that goes to InfluxDB directly has this many connections to it. */
export const CONNECTIONS = 4;
const SHOWN = 300;

/**
 * Sends prepared requests, one list per connection, each connection as fast as its answers come. The requests are bytes before the
 * clock starts and go through bare sockets: an HTTP client of Node costs as much as the gateway does.
 * @throws Error at the first answer that is not `expect`
 */
export async function runLoad(
  origin: string,
  lists: readonly (readonly LoadRequest[])[],
  options: { headers: Record<string, string>; expect: number },
): Promise<LoadResult> {
  const { hostname, port, host } = new URL(origin);
  const connections = await Promise.all(
    lists.map(async (list) => {
      const messages = list.map((request) => bytesOf(request, { ...options.headers, host }));
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return { socket, list, messages };
    }),
  );
  const latencies: number[] = [];
  const began = performance.now();
  try {
    await Promise.all(connections.map((each) => sendAll(each, options.expect, latencies)));
  } finally {
    for (const { socket } of connections) socket.destroy();
  }
  const seconds = (performance.now() - began) / 1000;
  return { requests: latencies.length, seconds, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) };
}

type Connection = {
  readonly socket: Socket;
  readonly list: readonly LoadRequest[];
  readonly messages: readonly Buffer[];
};

/** The next request goes when the answer to the one before has come whole. */
function sendAll({ socket, list, messages }: Connection, expect: number, latencies: number[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let nth = -1;
  let sentAt = 0;
  let answer = new Answer();
  const next = () => {
    nth += 1;
    const message = messages[nth];
    if (message === undefined) return resolve();
    sentAt = performance.now();
    socket.write(message);
  };
  socket.on('data', (chunk: Buffer) => {
    answer.take(chunk);
    if (!answer.isWhole) return;
    if (answer.status !== expect) {
      const { method = '', path = '' } = list[nth] ?? {};
      return reject(new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, SHOWN)}`));
    }
    latencies.push(performance.now() - sentAt);
    answer = new Answer();
    next();
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the server closed a connection')));
  next();
  return promise;
}

/** An answer of HTTP/1.1 says its length or comes in chunks; the sender is alone on its connection. */
class Answer {
  status = 0;
  text = '';
  #bodyAt = -1;
  #length = 0;

  take(chunk: Buffer): void {
    this.text += chunk.toString('latin1');
    if (this.#bodyAt >= 0) return;
    const end = this.text.indexOf('\r\n\r\n');
    if (end < 0) return;
    this.#bodyAt = end + 4;
    this.status = Number(this.text.slice(9, 12));
    const head = this.text.slice(0, end).toLowerCase();
    const length = /\r\ncontent-length: (\d+)/.exec(head);
    this.#length = length ? Number(length[1]) : head.includes('\r\ntransfer-encoding: chunked') ? Number.NaN : 0;
  }

  get isWhole(): boolean {
    if (this.#bodyAt < 0) return false;
    if (Number.isNaN(this.#length)) return this.text.endsWith('\r\n0\r\n\r\n');
    return this.text.length - this.#bodyAt >= this.#length;
  }
}

function bytesOf({ method, path, body = '' }: LoadRequest, headers: Record<string, string>): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ ...headers, 'content-length': String(bytes.length) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
}

/** Writes of prepared bodies, dealt out over 4 connections. */
export const dealOut = (bodies: readonly Buffer[], path: string): LoadRequest[][] =>
  Array.from({ length: CONNECTIONS }, (_, connection) =>
    bodies.filter((_body, n) => n % CONNECTIONS === connection).map((body) => ({ method: 'POST', path, body })),
  );
