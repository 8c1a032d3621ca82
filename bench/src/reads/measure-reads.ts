import { AGGREGATES_OF_RECORDS } from '@catchment/query';
import { Pool } from 'undici';
import { authorization, FIRST_MS, STEP_MS } from '../floors/influx-floor.ts';
import type { Installation } from '../installation.ts';
import { loadReadData, WEEK_RECORDS, YEAR_RECORDS } from '../loads/read-data.ts';
import { atMost, atMostOfFloor, type Row } from '../report.ts';
import { inTurns, type Timed } from '../watch/in-turns.ts';
import { cpuMsOf, memoryGrowth } from '../watch/processes.ts';

const DATABASE = 'catchment';
const MIB = 1024 * 1024;
/** A body just below the limit must be parsed whole. */
const GARBAGE_BYTES = 5 * MIB - 1024;

/**
 * Reads, each beside what InfluxDB itself takes for the same: in turns, so that both have the same machine; medians.
 * @param scale share of the usual number of repetitions
 */
export async function measureReads(installation: Installation, scale: number): Promise<Row[]> {
  const data = await loadReadData(installation);
  const { historic = 0, gateway = 0 } = await installation.pids();
  const api = new Pool(installation.url, { connections: 2 });
  const { origin, username, password } = new URL(installation.servers.influx.url);
  const store = new Pool(origin, { connections: 2 });
  const key = { 'x-api-key': installation.key };
  const login = authorization(username, password);

  const read =
    (path: string, expected: string): Timed =>
    () =>
      timed(api, `/api/v1${path}`, key, expected);
  const influx =
    (statement: string, accept = 'application/csv'): Timed =>
    () => {
      const query = new URLSearchParams({ db: DATABASE, epoch: 'ms', q: statement });
      return timed(store, `/query?${query}`, { ...login, accept }, '');
    };
  const repeated = (times: number) => Math.max(3, Math.ceil(times * scale));
  const rows: Row[] = [];
  const report = (row: Row) => {
    rows.push(row);
    console.log(`  ${row.name}: ${row.value} ${row.unit}, ratio ${row.ratio}, ${row.holds ? 'holds' : 'MISSED'}`);
  };
  const compare = async (name: string, times: number, bar: number, ours: Timed, theirs: Timed) => {
    const { ownMs, floorMs } = await inTurns(repeated(times), ours, theirs);
    report(atMostOfFloor(`${name} (InfluxDB itself: ${floorMs.toFixed(1)} ms)`, ownMs, 'ms', floorMs, bar));
  };

  const year = range(YEAR_RECORDS);
  const ofYear = `FROM "h" WHERE "s" = '${data.yearId}' AND time >= ${year.fromMs}ms AND time < ${year.toMs}ms`;
  const node = `/nodes/${data.yearId}/historic`;
  const thousand = `startTime=${iso(year.fromMs)}&limit=1000`;
  await compare(
    'read 1000 records, JSON, p50',
    100,
    4,
    read(`${node}?${thousand}`, '"recordCount": 1000'),
    influx(`SELECT "v" ${ofYear} LIMIT 1000`),
  );

  const wholeYear = read(`${node}?${span(year)}`, `"recordCount": ${YEAR_RECORDS}`);
  const growth = await memoryGrowth([historic, gateway], wholeYear);
  report(atMost('read 525 600 records of one series, JSON: RSS growth of historic + gateway', growth / MIB, 'MiB', 64));
  await compare('read 525 600 records of one series, JSON', 5, 2.5, wholeYear, influx(`SELECT "v" ${ofYear}`));

  const counted = 'mean("v"), count("v"), count("q")';
  await compare(
    'hourly AVERAGE over that year',
    9,
    1.5,
    read(`${node}?${span(year)}&aggregate=AVERAGE&baseTime=D&interval=1H`, '"recordCount": 8760'),
    influx(`SELECT ${counted} ${ofYear} GROUP BY time(1h)`),
  );
  const byHour = (aggregate: string) =>
    read(`${node}?${span(year)}&aggregate=${aggregate}&percentile=90&baseTime=D&interval=1H`, '"recordCount": 8760');
  for (const aggregate of AGGREGATES_OF_RECORDS) {
    const work = byHour(aggregate);
    await work();
    const grown = (await memoryGrowth([historic, gateway], work)) / MIB;
    const { ownMs, floorMs } = await inTurns(repeated(7), work, byHour('MEDIAN'));
    const name = `hourly ${aggregate} over that year`;
    report(atMostOfFloor(`${name} (MEDIAN: ${floorMs.toFixed(1)} ms)`, ownMs, 'ms', floorMs, 1.5));
    report(atMost(`${name}: RSS growth of historic + gateway`, grown, 'MiB', 64));
  }
  const sydney = 'timezone=Australia/Sydney&timezoneAdjustForDst=TRUE';
  await compare(
    'daily AVERAGE over that year in Australia/Sydney with DST',
    9,
    1.5,
    read(`${node}?${span(year)}&aggregate=AVERAGE&baseTime=D&interval=1D&${sydney}`, '"recordCount": 366'),
    influx(`SELECT ${counted} ${ofYear} GROUP BY time(1d) tz('Australia/Sydney')`),
  );

  const week = range(WEEK_RECORDS);
  const ids = data.weekIds.map((id) => `"s" = '${id}'`).join(' OR ');
  await compare(
    '100 series × hourly AVERAGE of a week in one request',
    9,
    1.5,
    read(
      `/historic?params=${data.weekIds.join(',')}&${span(week)}&aggregate=AVERAGE&baseTime=D&interval=1H`,
      '"recordCount": 168',
    ),
    influx(
      `SELECT ${counted} FROM "h" WHERE (${ids}) AND time >= ${week.fromMs}ms AND time < ${week.toMs}ms GROUP BY "s", time(1h)`,
    ),
  );
  report(await refusal(api, key, node, [historic, gateway], repeated(5)));
  await Promise.all([api.close(), store.close()]);
  return rows;
}

/** Processor time counts, not time on the clock: the cost of one account's bad input for the others. */
async function refusal(
  api: Pool,
  key: Record<string, string>,
  node: string,
  pids: readonly number[],
  times: number,
): Promise<Row> {
  const unit = '[{"a":';
  const depth = Math.floor(GARBAGE_BYTES / (unit.length + 2));
  const body = Buffer.from(unit.repeat(depth) + '0' + '}]'.repeat(depth));
  const send = async () => {
    const headers = { ...key, 'content-type': 'application/json' };
    const answer = await api.request({ method: 'PUT', path: `/api/v1${node}`, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 400) throw new Error(`garbage was answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  };
  await send();
  const before = await cpuMsOf(pids);
  for (let n = 0; n < times; n += 1) await send();
  const each = ((await cpuMsOf(pids)) - before) / times;
  return atMost('the CPU cost of refusing a 5 MiB document of nested garbage, historic + gateway', each, 'ms', 200);
}

/** @throws Error when the answer is not 200, or begins in an unexpected way */
async function timed(pool: Pool, path: string, headers: Record<string, string>, expected: string): Promise<number> {
  const began = performance.now();
  const answer = await pool.request({ method: 'GET', path, headers, reset: true });
  let start = '';
  for await (const chunk of answer.body) if (start.length < 40_000) start += chunk;
  const tookMs = performance.now() - began;
  if (answer.statusCode !== 200 || !start.includes(expected) || start.startsWith('error'))
    throw new Error(`GET ${path.slice(0, 200)} answered ${answer.statusCode}: ${start.slice(0, 300)}`);
  return tookMs;
}

const iso = (ms: number): string => new Date(ms).toISOString();
const range = (records: number) => ({ fromMs: FIRST_MS, toMs: FIRST_MS + records * STEP_MS });
const span = ({ fromMs, toMs }: { fromMs: number; toMs: number }): string =>
  `startTime=${iso(fromMs)}&endTime=${iso(toMs)}`;
