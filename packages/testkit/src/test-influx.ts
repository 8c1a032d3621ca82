import { randomBytes } from 'node:crypto';
import { testServerUrl } from './server-url.ts';

export type TestInflux = {
  /** The URL has a user and a password, as the services take it. `fetch` refuses such a URL: see `origin`. */
  readonly url: string;
  /** The address alone, e.g. `http://127.0.0.1:8086`. */
  readonly origin: string;
  readonly username: string;
  readonly password: string;
  /** A separate empty database. */
  readonly database: string;
  /** The rows of an InfluxQL statement in the own database, as InfluxDB's JSON has them. */
  query: (influxQl: string) => Promise<InfluxAnswer>;
  drop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

type InfluxSeries = { name: string; tags?: Record<string, string>; columns: string[]; values?: unknown[][] };
type InfluxAnswer = { results: { series?: InfluxSeries[] }[] };

const REQUEST_LIMIT_MS = 30_000;

/** Makes an InfluxDB database for one test file. */
export async function testInflux(): Promise<TestInflux> {
  const url = await testServerUrl('influx');
  const { origin, username: user, password: pass } = new URL(url);
  const username = decodeURIComponent(user);
  const password = decodeURIComponent(pass);
  const database = `test_${randomBytes(8).toString('hex')}`;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

  const query = async (influxQl: string): Promise<InfluxAnswer> => {
    const response = await fetch(`${origin}/query`, {
      method: 'POST',
      headers: username ? { authorization } : {},
      body: new URLSearchParams({ db: database, epoch: 'ms', q: influxQl }),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    const answer = (await response.json()) as InfluxAnswer & { error?: string };
    const error =
      answer.error ?? answer.results.map((result) => 'error' in result && String(result.error)).find(Boolean);
    if (error) throw new Error(`InfluxDB: ${error} (${influxQl})`);
    return answer;
  };
  await query(`CREATE DATABASE ${database}`);
  const drop = async () => {
    await query(`DROP DATABASE ${database}`);
  };
  return { url, origin, username, password, database, query, drop, [Symbol.asyncDispose]: drop };
}
