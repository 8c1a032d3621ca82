import { Pool } from 'undici';
import { quantile } from './in-turns.ts';

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

/** Of every load of InfluxDB itself. */
export const CONNECTIONS = 4;
const SHOWN = 300;

/**
 * Sends prepared requests, one list per connection, each connection as fast as its answers come.
 * @throws Error at the first answer that is not `expect`
 */
export async function runLoad(
  origin: string,
  lists: readonly (readonly LoadRequest[])[],
  options: { headers: Record<string, string>; expect: number },
): Promise<LoadResult> {
  const pool = new Pool(origin, { connections: lists.length, pipelining: 1 });
  const latencies: number[] = [];
  const connection = async (requests: readonly LoadRequest[]) => {
    for (const request of requests) {
      const sentAt = performance.now();
      await send(pool, request, options);
      latencies.push(performance.now() - sentAt);
    }
  };
  const began = performance.now();
  await Promise.all(lists.map(connection));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  return { requests: latencies.length, seconds, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) };
}

/** By undici's dispatch: its request() makes a stream of each answer, which costs the sender as much as sending. */
function send(
  pool: Pool,
  { method, path, body }: LoadRequest,
  { headers, expect }: { headers: Record<string, string>; expect: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let text = '';
    pool.dispatch(
      { method, path, headers, body: body ?? null },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseData: (_controller, chunk) => {
          if (status !== expect && text.length < SHOWN) text += chunk;
        },
        onResponseEnd: () => {
          if (status === expect) resolve();
          else reject(new Error(`${method} ${path} answered ${status}: ${text.slice(0, SHOWN)}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

/** Writes of prepared bodies, dealt out over 4 connections. */
export const dealOut = (bodies: readonly Buffer[], path: string): LoadRequest[][] =>
  Array.from({ length: CONNECTIONS }, (_, connection) =>
    bodies.filter((_body, n) => n % CONNECTIONS === connection).map((body) => ({ method: 'POST', path, body })),
  );
