import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { FIRST_MS, STEP_MS, value } from '../floors/influx-floor.ts';
import type { Installation } from '../installation.ts';
import { type FloodData, nodeIdOf, type SeededAccount, seedFlood } from './node-data.ts';

/** Locations of the seeded accounts are 1 to 9, data sources 10 to 49, parameters come after them; every 100th is a text. */
const FIRST_PARAMETER = 51;
/** The branch of this Location is a ninth of its account. */
const BRANCH = 9;
const RECORDS = 100_000;
const ROWS_PER_DOCUMENT = 10_000;
const READABLE_LIMIT_MS = 120_000;

export const FLOOD_KINDS = ['trees', 'clones', 'lists', 'reads', 'charts'] as const;
export type FloodKind = (typeof FLOOD_KINDS)[number];

export type Question = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string };

/** Prepares accounts of the same shape, each with a series of 100 000 records. */
export async function prepareFlood(installation: Installation): Promise<FloodData> {
  const data = await seedFlood(installation);
  for (const account of [data.flooding, data.quiet]) await writeRecords(installation, account);
  return data;
}

/** Returns a request to an account; `large` = the largest that is allowed. */
export function questionOf(kind: FloodKind, account: SeededAccount, size: 'usual' | 'large', n = 0): Question {
  const series = nodeIdOf(account, FIRST_PARAMETER);
  const at = (record: number) => new Date(FIRST_MS + record * STEP_MS).toISOString();
  const range = `startTime=${at(0)}&endTime=${at(size === 'large' ? RECORDS - 1 : 999)}`;
  const chart = size === 'large' ? 'format=JPG&width=4000&height=4000&scale=4' : 'format=PNG&width=1200&height=800';
  const clone = { parentId: nodeIdOf(account, 0), name: `Copy ${n}` };
  const questions: Record<FloodKind, Question> = {
    trees: { method: 'GET', path: '/nodes?type=TREE' },
    clones: { method: 'POST', path: `/nodes/${nodeIdOf(account, BRANCH)}/clone`, body: JSON.stringify(clone) },
    lists: { method: 'GET', path: '/nodes' },
    reads: { method: 'GET', path: `/nodes/${series}/historic?${range}` },
    charts: { method: 'GET', path: `/nodes/${series}/historic/chart?${range}&${chart}` },
  };
  return questions[kind];
}

/** Returns the status, when the whole answer is there; the body is thrown away. */
export async function ask(pool: Pool, { key }: SeededAccount, { method, path, body }: Question): Promise<number> {
  const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const answer = await pool.request({ method, path: `/api/v1${path}`, headers, body: body ?? null });
  await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
  return answer.statusCode;
}

/** Returns connections to the gateway that wait as long as it takes. */
export const clientOf = ({ url }: Installation, connections: number): Pool =>
  new Pool(url, { connections, pipelining: 1, headersTimeout: 180_000, bodyTimeout: 180_000 });

async function writeRecords(installation: Installation, account: SeededAccount): Promise<void> {
  const pool = clientOf(installation, 1);
  const path = `/nodes/${nodeIdOf(account, FIRST_PARAMETER)}/historic`;
  const send = async (method: 'GET' | 'PUT', more: string, body?: string) => {
    const headers = { 'x-api-key': account.key, 'content-type': 'application/json' };
    const answer = await pool.request({ method, path: `/api/v1${path}${more}`, headers, body: body ?? null });
    const text = await answer.body.text();
    if (answer.statusCode >= 400)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
    return text;
  };
  for (let from = 0; from < RECORDS; from += ROWS_PER_DOCUMENT) {
    const data = Array.from({ length: ROWS_PER_DOCUMENT }, (_, row) => ({
      ts: new Date(FIRST_MS + (from + row) * STEP_MS).toISOString(),
      f: { 0: { v: value(from + row) } },
    }));
    const header = { columns: { 0: { id: nodeIdOf(account, FIRST_PARAMETER), dataType: 'NUMBER' } } };
    await send('PUT', '?columnIndex=0', JSON.stringify({ docType: 'jts', version: '1.0', header, data }));
  }
  const last = new Date(FIRST_MS + (RECORDS - 1) * STEP_MS).toISOString();
  const deadline = performance.now() + READABLE_LIMIT_MS;
  for (;;) {
    const text = await send('GET', `?startTime=${last}&endTime=${last}`);
    if ((JSON.parse(text) as { data: unknown[] }).data.length === 1) break;
    if (performance.now() > deadline) throw new Error('the last record was not readable in time');
    await delay(100);
  }
  await pool.close();
}
