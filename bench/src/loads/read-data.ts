import { setTimeout as delay } from 'node:timers/promises';
import { FIRST_MS, STEP_MS, value } from '../floors/influx-floor.ts';
import type { Installation } from '../installation.ts';

/** A year without its leap day and a week have this many minutes. */
export const YEAR_RECORDS = 525_600;
export const WEEK_RECORDS = 10_080;
const WEEK_SERIES = 100;

/** The read benchmarks read a series of a year, and a hundred of a week. */
type ReadData = { readonly yearId: string; readonly weekIds: readonly string[] };

const MODEL = 'io.svc.models.node';
const ROWS_PER_DOCUMENT = 5_000;
const COLUMNS = 20;
const READABLE_LIMIT_MS = 300_000;

/** Makes the nodes and writes their records through the API; done when all are readable. */
export async function loadReadData(installation: Installation): Promise<ReadData> {
  const call = caller(installation);
  const { source, parameter } = await createSource(call);
  const yearId = await parameter('Year');
  const weekIds: string[] = [];
  for (let n = 0; n < WEEK_SERIES; n += 1) weekIds.push(await parameter(`Week ${n}`));

  await writeColumns(call, source, [yearId], { ...YEAR, records: YEAR_RECORDS });
  for (let n = 0; n < weekIds.length; n += COLUMNS)
    await writeColumns(call, source, weekIds.slice(n, n + COLUMNS), { ...YEAR, records: WEEK_RECORDS });
  await untilReadable(call, yearId, { ...YEAR, records: YEAR_RECORDS });
  for (const id of weekIds) await untilReadable(call, id, { ...YEAR, records: WEEK_RECORDS });
  return { yearId, weekIds };
}

/** A series has evenly spaced times. */
export type SeriesTimes = {
  readonly firstMs: number;
  readonly records: number;
  readonly stepMs: number;
  /** Makes the numbers of the first column; absent: the numbers are like those of a sensor. */
  readonly numberAt?: (n: number) => number;
  /** An outage of ten steps follows every this many records; absent: none. */
  readonly outageEvery?: number;
};

/** Steps of an outage. */
const OUTAGE = 10;

/** Unix ms of a record. */
export const timeOf = ({ firstMs, stepMs, outageEvery }: SeriesTimes, n: number): number =>
  firstMs + (n + (outageEvery === undefined ? 0 : OUTAGE * Math.floor(n / outageEvery))) * stepMs;

const YEAR = { firstMs: FIRST_MS, stepMs: STEP_MS };

/** Makes one series and writes it; done when it is readable. @param chart settings of the parameter @returns the parameter's id */
export async function loadSeries(
  installation: Installation,
  { name, ...times }: SeriesTimes & { readonly name: string },
  chart: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const call = caller(installation);
  const { source, parameter } = await createSource(call);
  const id = await parameter(name);
  if (Object.keys(chart).length > 0) await call('PUT', `/nodes/${id}`, { chart });
  await writeColumns(call, source, [id], times);
  await untilReadable(call, id, times);
  return id;
}

async function createSource(call: Call): Promise<{ source: string; parameter: (name: string) => Promise<string> }> {
  const create = async (body: object) => (JSON.parse(await call('POST', '/nodes', body)) as { _id: string })._id;
  const workspace = await create({ _class: `${MODEL}.Workspace`, name: `Reads ${Date.now()}` });
  const location = await create({ _class: `${MODEL}.location.Location`, name: 'Site', parentId: workspace });
  const source = await create({ _class: `${MODEL}.source.data.Jts`, name: 'Source', parentId: location });
  const parameter = (name: string) => create({ _class: `${MODEL}.point.NumberPoint`, name, parentId: source });
  return { source, parameter };
}

type Call = (method: string, path: string, body?: object) => Promise<string>;

const caller =
  ({ url, key }: Installation): Call =>
  async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
    return text;
  };

async function writeColumns(call: Call, source: string, ids: readonly string[], times: SeriesTimes): Promise<void> {
  const { records, numberAt = value } = times;
  const columns = Object.fromEntries(ids.map((id, n) => [n, { id }]));
  const rows = Math.floor(ROWS_PER_DOCUMENT / ids.length);
  for (let from = 0; from < records; from += rows) {
    const data = Array.from({ length: Math.min(rows, records - from) }, (_, row) => ({
      ts: new Date(timeOf(times, from + row)).toISOString(),
      f: Object.fromEntries(ids.map((_id, n) => [n, { v: numberAt(from + row + n) }])),
    }));
    await call('PUT', `/nodes/${source}/historic`, { docType: 'jts', version: '1.0', header: { columns }, data });
  }
}

async function untilReadable(call: Call, id: string, times: SeriesTimes): Promise<void> {
  const last = new Date(timeOf(times, times.records - 1)).toISOString();
  const deadline = performance.now() + READABLE_LIMIT_MS;
  for (;;) {
    const text = await call('GET', `/nodes/${id}/historic?startTime=${last}&endTime=${last}`);
    if ((JSON.parse(text) as { data: unknown[] }).data.length === 1) return;
    if (performance.now() > deadline) throw new Error(`the last record of ${id} was not readable in time`);
    await delay(100);
  }
}
