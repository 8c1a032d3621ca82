import { Pool } from 'undici';

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
    for (const { method, path, body } of requests) {
      const sentAt = performance.now();
      const answer = await pool.request({
        method,
        path,
        headers: options.headers,
        ...(body !== undefined && { body }),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== options.expect)
        throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
      latencies.push(performance.now() - sentAt);
    }
  };
  const began = performance.now();
  await Promise.all(lists.map(connection));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  return { requests: latencies.length, seconds, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) };
}

/** Writes of prepared bodies, dealt out over 4 connections. */
export const dealOut = (bodies: readonly Buffer[], path: string): LoadRequest[][] =>
  Array.from({ length: CONNECTIONS }, (_, connection) =>
    bodies.filter((_body, n) => n % CONNECTIONS === connection).map((body) => ({ method: 'POST', path, body })),
  );

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
