import { Agent, type IncomingMessage, request } from 'node:http';

export type Answer = { readonly status: number; readonly text: string };

/** The longest answer may take so long to begin. */
const LIMIT_MS = 60_000;
/** A second time is enough: a new connection is not a kept one. */
const LOST = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Speaks plain HTTP/1.1, and keeps its connections. A request on a kept connection that turns out to be closed is sent once more on a
 * new one, as RFC 9112 (9.3.1) allows for methods that may be repeated; nothing else is.
 */
export class HttpClient {
  readonly #url: string;
  readonly #key: string;
  readonly #kept = new Agent({ keepAlive: true });
  readonly #fresh = new Agent({ keepAlive: false });
  /** These requests were sent a second time. */
  repeated = 0;

  constructor(options: { url: string; key: string }) {
    this.#url = `${options.url}/api/v1`;
    this.#key = options.key;
  }

  /** @throws the error of the connection, or TimeoutError */
  async send(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<Answer> {
    try {
      return await this.#once(this.#kept, method, path, body);
    } catch (error) {
      const { code = '', isKept } = error as NodeJS.ErrnoException & { isKept?: boolean };
      if (method === 'POST' || !isKept || !LOST.has(code)) throw error;
      this.repeated += 1;
      return await this.#once(this.#fresh, method, path, body);
    }
  }

  /** The answer, read as JSON where it is. @throws when the status is not of success */
  async json(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<unknown> {
    const { status, text } = await this.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  }

  #once(agent: Agent, method: string, path: string, body?: object): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const headers = { 'X-Api-Key': this.#key, 'Content-Type': 'application/json' };
    const outgoing = request(this.#url + path, { method, agent, headers }, (answer: IncomingMessage) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    const late = setTimeout(
      () => outgoing.destroy(Object.assign(new Error('too late'), { code: 'TimeoutError' })),
      LIMIT_MS,
    );
    outgoing.on('error', (error) => reject(Object.assign(error, { isKept: outgoing.reusedSocket })));
    outgoing.end(body && JSON.stringify(body));
    return promise.finally(() => clearTimeout(late));
  }
}
