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

/**
 * Sends `count` requests over `connections` connections, each as fast as its answers come.
 * @throws Error at the first answer that is not `expect`
 */
export async function runLoad(
  origin: string,
  options: {
    connections: number;
    count: number;
    headers: Record<string, string>;
    expect: number;
    /** @param connection 0 … connections − 1 */
    request: (n: number, connection: number) => LoadRequest;
  },
): Promise<LoadResult> {
  const pool = new Pool(origin, { connections: options.connections, pipelining: 1 });
  const latencies: number[] = [];
  let next = 0;
  const began = performance.now();
  const connection = async (index: number) => {
    while (next < options.count) {
      const n = next;
      next += 1;
      const sentAt = performance.now();
      const { method, path, body } = options.request(n, index);
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
  await Promise.all(Array.from({ length: options.connections }, (_, index) => connection(index)));
  const seconds = (performance.now() - began) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  return { requests: options.count, seconds, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) };
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
