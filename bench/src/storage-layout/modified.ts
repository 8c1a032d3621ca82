import { value } from '../influx-floor.ts';
import type { LayoutServer } from './layout-server.ts';
import { bestMs, bestOf, bodiesOf, FLAG, MODIFIED_MS, nodeId, presence, RUNS, timeMs } from './measure.ts';
import { fixed, printTable, relative, thousands } from './print.ts';

const POINTS = 500_000;
/** So many records were written at the same time, and are looked for. */
const TOGETHER = 1_000;
const READS = 7;
const SERIES = nodeId(1);

const modified = (n: number): number => MODIFIED_MS + Math.floor(n / TOGETHER) * 60_000;
const NS_PER_MS = '000000';

const record = (n: number): string =>
  `h,s=${SERIES} v=${value(n)},p=${presence(modified(n), FLAG.value)}i ${timeMs(n)}${NS_PER_MS}`;
/** An entry of the index: its time is the modified time, made unique by nanoseconds; `t` is the record's time. */
const entry = (n: number): string =>
  `m,s=${SERIES} t=${timeMs(n)}i ${modified(n)}${String(n % TOGETHER).padStart(NS_PER_MS.length, '0')}`;

type Variant = 'presence field' | 'index';
const LINES: Record<Variant, (n: number) => string> = {
  'presence field': record,
  index: (n) => `${record(n)}\n${entry(n)}`,
};

/** Records by the time they were written: a filter on `p`, or an index of its own. */
export async function measureModified(server: LayoutServer): Promise<void> {
  const kept = { 'presence field': '', index: '' };
  const variants: readonly Variant[] = ['presence field', 'index'];
  const best = await bestOf(variants, async (variant, round) => {
    const database = await server.database();
    const taken = await server.write(database, bodiesOf(POINTS, LINES[variant]), 'ns');
    if (round < RUNS) await server.drop(database);
    else kept[variant] = database;
    return taken;
  });
  await server.settle(...Object.values(kept));
  const rows = [];
  const base = best('presence field');
  for (const variant of variants) {
    const { recordBytes } = await server.disk(kept[variant]);
    rows.push([
      variant,
      thousands(POINTS / best(variant)),
      relative(base, best(variant)),
      fixed(recordBytes / POINTS, 2),
    ]);
  }
  printTable(
    `d) Modified time (one series of ${thousands(POINTS)} records, best of ${RUNS})`,
    ['kept by', 'records/s', '', 'bytes/record'],
    rows,
  );

  const select = `SELECT p, q, a, v FROM h WHERE s = '${SERIES}'`;
  const database = kept['presence field'];
  const range = (n: number) => {
    const first = Math.floor(POINTS / TOGETHER / 10) * (n + 1) * TOGETHER;
    return { first, fromMs: modified(first) };
  };
  const filterOnP = (n: number, times: string) => {
    const from = range(n).fromMs * 8;
    return server.query(database, `${select} AND p >= ${from} AND p <= ${from + 7}${times}`);
  };
  const throughIndex = async (n: number) => {
    const { fromMs } = range(n);
    const entries = await server.query(
      kept.index,
      `SELECT t FROM m WHERE s = '${SERIES}' AND time >= ${fromMs}ms AND time < ${fromMs + 1}ms`,
    );
    const times = entries.map(([, time]) => Number(time));
    return server.query(
      kept.index,
      `${select} AND time >= ${Math.min(...times)}ms AND time <= ${Math.max(...times)}ms`,
    );
  };
  const byTime = (n: number) => {
    const { first } = range(n);
    return server.query(database, `${select} AND time >= ${timeMs(first)}ms AND time < ${timeMs(first + TOGETHER)}ms`);
  };
  const full = await bestMs(3, () => server.query(database, select));
  const month = ` AND time >= ${timeMs(0)}ms AND time < ${timeMs(50_000)}ms`;
  const reads: [string, number, number][] = [
    ['all records', full, (await server.query(database, select)).length],
    ['count of all, nothing sent', await bestMs(3, () => server.query(database, `SELECT count(v) FROM h`)), 1],
    ['filter on `p`', await bestMs(READS, (n) => filterOnP(n, '')), (await filterOnP(1, '')).length],
    ['filter on `p` within a tenth of the time', await bestMs(READS, () => filterOnP(0, month)), 0],
    ['index, then its range of times', await bestMs(READS, throughIndex), (await throughIndex(1)).length],
    ['by record time', await bestMs(READS, byTime), (await byTime(1)).length],
  ];
  printTable(
    `d) Reading ${thousands(TOGETHER)} records that were written together`,
    ['read', 'ms', 'of a full read', 'records'],
    reads.map(([name, ms, records]) => [name, fixed(ms), relative(ms, full), thousands(records)]),
  );
  for (const name of Object.values(kept)) await server.drop(name);
}
