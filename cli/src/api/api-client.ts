import { REMOTE_LIMITS, textWithin } from '@catchment/egress';
import pRetry from 'p-retry';

/** An answer is no success, and has the API's own message. */
export class ApiError extends Error {
  readonly status: number;
  /** The header Retry-After has this value; 0 = the header is missing. */
  readonly retryAfterSeconds: number;

  constructor(what: string, response: Response, text: string) {
    super(`${what} answered ${response.status}: ${messageOf(text)}`);
    this.status = response.status;
    this.retryAfterSeconds = Math.min(Number(response.headers.get('retry-after')) || 0, RETRY_AFTER_MAX_SECONDS);
  }
}

function messageOf(text: string): string {
  try {
    const { message } = (JSON.parse(text) as { error: { message: string } }).error;
    return message.slice(0, 1000);
  } catch {
    return text.slice(0, 500);
  }
}

const TIMEOUT_MS = 60_000;
const RETRY_AFTER_MAX_SECONDS = 300;
/** The tries take about five minutes: a gateway or a store that is being replaced is back by then. */
const RETRY = { retries: 12, minTimeout: 500, factor: 2, maxTimeout: 30_000 };
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A command uses the public API like any client program, with a key and nothing else. */
export class ApiClient {
  readonly url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.#key = key;
  }

  /** @throws ApiError when the status is not as expected */
  async send(method: Method, path: string, body?: unknown): Promise<unknown> {
    const text = await this.text(method, path, body);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Returns the resource, or undefined when there is none. */
  async find(path: string): Promise<{ _id: string } | undefined> {
    try {
      return (await this.send('GET', path)) as { _id: string };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * The answer as text. `body` is JSON, or a text that is JSON already.
   * @throws ApiError when the status is not as expected
   */
  async text(method: Method, path: string, body?: unknown): Promise<string> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { 'X-Api-Key': this.#key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await textWithin(response.body, REMOTE_LIMITS.api);
    if (!response.ok) throw new ApiError(`${method} ${path.split('?')[0]}`, response, text);
    return text;
  }

  /**
   * Reads like `text`, repeated while the API cannot be reached, is busy or fails; for requests that may arrive twice.
   * @param signal ends the waiting
   */
  textPatiently(
    method: 'GET' | 'PUT',
    path: string,
    options: { body?: string; signal?: AbortSignal; onRetry?: (message: string) => void } = {},
  ): Promise<string> {
    const { signal, onRetry } = options;
    return pRetry(() => this.text(method, path, options.body).catch(asRetryable), {
      ...RETRY,
      ...(signal && { signal }),
      shouldRetry: ({ error }) => !(error instanceof ApiError) || PASSING.has(error.status),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (retriesLeft === 0 || (error instanceof ApiError && !PASSING.has(error.status))) return;
        onRetry?.(error.message);
        const waitMs = error instanceof ApiError ? error.retryAfterSeconds * 1000 : 0;
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      },
    });
  }
}

/** fetch throws a TypeError when a connection fails, which p-retry takes for a bug. */
function asRetryable(error: unknown): never {
  if (error instanceof ApiError) throw error;
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? ` (${cause.message})` : '';
  throw new Error(`${message}${why}`, { cause: error });
}
