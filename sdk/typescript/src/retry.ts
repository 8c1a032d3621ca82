import { CatchmentError, errorOf } from './errors.ts';

export type Retry = {
  /** Tries of one request, 5 unless said otherwise. */
  readonly tries: number;
  /** An answer that asks for a longer wait is an error at once; 120 unless said otherwise. */
  readonly maxWaitSeconds: number;
  readonly random: () => number;
  readonly now: () => number;
  readonly sleep: (seconds: number, signal?: AbortSignal) => Promise<void>;
};

export const DEFAULT_RETRY: Retry = {
  tries: 5,
  maxWaitSeconds: 120,
  random: Math.random,
  now: Date.now,
  sleep: (seconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, seconds * 1_000);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** Grows with the attempts, from 1; half of it is by chance, so that clients that fail together do not come back together. */
const backoff = (attempt: number, { random }: Retry): number =>
  Math.min(30, 0.5 * 2 ** attempt) * (0.5 + 0.5 * random());

/**
 * Returns seconds that `Retry-After` asks for, as a number or as a date, which counts from the server's own `Date`: clocks that differ do
 * no harm.
 */
export function retryAfterOf(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  if (Number.isNaN(date)) return undefined;
  const server = Date.parse(headers.get('date') ?? '');
  return Math.max(0, (date - (Number.isNaN(server) ? nowMs : server)) / 1_000);
}

const PASSING = [429, 502, 503, 504];

/** Returns the seconds to wait after a refusal or a lost connection; throws it where waiting does not help. */
export function waitAfter(error: CatchmentError, attempt: number, retry: Retry): number {
  const { status, retryAfter, kind } = error;
  const isPassing = kind === 'transport' || PASSING.includes(status ?? 0);
  if (!isPassing || attempt >= retry.tries || (retryAfter ?? 0) > retry.maxWaitSeconds) throw error;
  return retryAfter === undefined
    ? backoff(attempt, retry)
    : retryAfter + Math.min(2, 0.25 + 0.1 * retryAfter) * retry.random();
}

export type Fetch = (request: Request) => Promise<Response>;

/** Returns whether sending it twice does what sending it once does. */
const mayRepeat = (request: Request): boolean => request.method !== 'POST' || request.headers.has('idempotency-key');

/** Returns a fetch that tries again, and throws what is no success. @param isWhole an answer whose body breaks off is none */
export function retrying(send: Fetch, retry: Retry, seen: (response: Response) => void, isWhole = true): Fetch {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await sendOnce(send, request.clone(), retry, isWhole);
      if (answer instanceof Response) {
        seen(answer);
        return answer;
      }
      const isRefused = answer.kind === 'rate_limited' || answer.kind === 'unavailable';
      if (!mayRepeat(request) && !isRefused) throw answer;
      await retry.sleep(waitAfter(answer, attempt, retry), request.signal);
    }
  };
}

async function sendOnce(
  send: Fetch,
  request: Request,
  { now }: Retry,
  isWhole: boolean,
): Promise<Response | CatchmentError> {
  try {
    const response = await send(request);
    // Catchment has no pages below /api: those are of a proxy, or of another program.
    const isPage = response.headers.get('content-type')?.startsWith('text/html') && request.url.includes('/api/v1/');
    if (!response.ok || isPage) return await errorOf(response, retryAfterOf(response.headers, now()));
    if (!isWhole) return response;
    const { status, headers } = response;
    const bytes = await response.arrayBuffer();
    return readable(bytes, status, headers);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return lost(error);
  }
}

/** Makes an answer in memory. A text that should be JSON and is none is reported as a failure of ours. */
function readable(bytes: ArrayBuffer, status: number, found: Headers): Response {
  const headers = new Headers(found);
  // openapi-fetch reads by json() what has a length.
  headers.set('content-length', String(bytes.byteLength));
  const answer = new Response(bytes.byteLength > 0 ? bytes : null, { status, headers });
  const parse = answer.json.bind(answer);
  const json = () =>
    parse().catch(async () => {
      if (headers.get('content-type')?.includes('json')) throw lost('its document has no end');
      throw await errorOf(new Response(null, { status, headers }), undefined);
    });
  return Object.assign(answer, { json });
}

/**
 * Makes a failure of the network, or of what the caller's own fetch says of it. Facts of the request are left behind.
 */
export function lost(error: unknown): CatchmentError {
  if (error instanceof CatchmentError) return error;
  const { message = String(error), cause } = error as { message?: string; cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return new CatchmentError(`no whole answer came: ${message}${code}`, { kind: 'transport' });
}
