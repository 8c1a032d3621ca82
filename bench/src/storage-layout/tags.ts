import { value } from '../influx-floor.ts';
import type { LayoutServer } from './layout-server.ts';
import { bestMs, bestOf, bodiesOf, FLAG, MODIFIED_MS, nodeId, presence, RUNS, seconds, timeMs } from './measure.ts';
import { fixed, mib, printTable, relative, thousands } from './print.ts';

const SERIES = 10_000;
const RECORDS_OF_EACH = 10;
/** A few series are long, to be read; their records come after the others'. */
const LONG_SERIES = 10;
const LONG_RECORDS = 20_000;
const READ_RECORDS = 1_000;
const READS = 15;
const SERIES_OF_SOURCE = 20;
const SOURCES_OF_WORKSPACE = 25;
const DELETES = 20;
const DELETES_TOGETHER = 50;

const source = (series: number): string => nodeId(1e6 + Math.floor(series / SERIES_OF_SOURCE));
const workspace = (series: number): string =>
  nodeId(2e6 + Math.floor(series / SERIES_OF_SOURCE / SOURCES_OF_WORKSPACE));

type Variant = {
  readonly name: string;
  readonly key: (series: number) => string;
  readonly from: (series: number) => string;
};

const IMPLEMENTED: Variant = {
  name: 'one measurement, tag node',
  key: (series) => `h,s=${nodeId(series)}`,
  from: (series) => `h WHERE s = '${nodeId(series)}'`,
};

const VARIANTS: readonly Variant[] = [
  IMPLEMENTED,
  {
    name: 'one measurement, tags workspace and node',
    key: (series) => `h,s=${nodeId(series)},w=${workspace(series)}`,
    from: (series) => `h WHERE w = '${workspace(series)}' AND s = '${nodeId(series)}'`,
  },
  {
    name: 'measurement per source, tag node',
    key: (series) => `${source(series)},s=${nodeId(series)}`,
    from: (series) => `"${source(series)}" WHERE s = '${nodeId(series)}'`,
  },
  {
    name: 'measurement per series',
    key: (series) => `n${nodeId(series)}`,
    from: (series) => `"n${nodeId(series)}" WHERE time > 0`,
  },
];

/** Writes as all sensors report, one record of each in turn; first to new series, then to known ones. */
const FIELDS = (n: number): string => `v=${value(n)},p=${presence(MODIFIED_MS, FLAG.value)}i`;
const reports = ({ key }: Variant, firstRecord: number): Buffer[] =>
  bodiesOf(
    SERIES * RECORDS_OF_EACH,
    (n) => `${key(n % SERIES)} ${FIELDS(n)} ${timeMs(firstRecord + Math.floor(n / SERIES))}`,
  );
const longSeries = ({ key }: Variant): Buffer[] =>
  bodiesOf(
    LONG_SERIES * LONG_RECORDS,
    (n) => `${key(Math.floor(n / LONG_RECORDS))} ${FIELDS(n)} ${timeMs(100 + (n % LONG_RECORDS))}`,
  );

/** Spellings of the key of a series; then the cost of removing series in the implemented spelling. */
export async function measureTags(server: LayoutServer): Promise<void> {
  const kept = new Map<Variant, string>();
  const bestKnown = new Map<Variant, number>();
  const bestNew = await bestOf(VARIANTS, async (variant, round) => {
    const database = await server.database();
    const first = await server.write(database, reports(variant, 0));
    const known = await server.write(database, reports(variant, RECORDS_OF_EACH));
    bestKnown.set(variant, Math.min(known, bestKnown.get(variant) ?? Number.POSITIVE_INFINITY));
    if (round < RUNS) await server.drop(database);
    else kept.set(variant, database);
    return first;
  });
  const bestLong = new Map<Variant, number>();
  for (const [variant, database] of kept) bestLong.set(variant, await server.write(database, longSeries(variant)));
  await server.settle(...kept.values());

  const rows = [];
  const base = { fresh: 0, known: 0 };
  for (const [variant, database] of kept) {
    const points = SERIES * RECORDS_OF_EACH;
    const fresh = points / bestNew(variant);
    const known = points / (bestKnown.get(variant) ?? Number.NaN);
    const long = (LONG_SERIES * LONG_RECORDS) / (bestLong.get(variant) ?? Number.NaN);
    const select = (n: number) => `SELECT p, q, a, v FROM ${variant.from(n % LONG_SERIES)}`;
    const some = await bestMs(READS, (n) =>
      server.query(database, `${select(n)} AND time >= ${timeMs(5_000 + n * 100)}ms LIMIT ${READ_RECORDS}`),
    );
    const whole = await bestMs(READS, (n) => server.query(database, select(n)));
    const { recordBytes, files } = await server.disk(database);
    if (base.fresh === 0) Object.assign(base, { fresh, known });
    rows.push([
      variant.name,
      `${thousands(fresh)} (${relative(fresh, base.fresh)})`,
      `${thousands(known)} (${relative(known, base.known)})`,
      thousands(long),
      fixed(some),
      fixed(whole),
      mib(recordBytes),
      files,
    ]);
    if (variant !== IMPLEMENTED) await server.drop(database);
  }
  printTable(
    `b) Key of a series (${thousands(SERIES)} series, best of ${RUNS}; long series once)`,
    [
      'key',
      'new series, records/s',
      'known series, records/s',
      'long series, records/s',
      `read ${thousands(READ_RECORDS)}, ms`,
      `read ${thousands(LONG_RECORDS)}, ms`,
      'MiB',
      'files',
    ],
    rows,
  );
  await measureDeletes(server, kept.get(IMPLEMENTED) ?? '');
}

async function measureDeletes(server: LayoutServer, database: string): Promise<void> {
  let next = LONG_SERIES;
  const rows = [];
  for (const verb of ['DELETE', 'DROP SERIES'] as const) {
    const nextId = () => {
      next += 1;
      return nodeId(next);
    };
    const statement = () => `${verb} FROM "h" WHERE "s" = '${nextId()}'`;
    const before = await remaining(server, database);
    const first = next;
    const oneMs = await bestMs(DELETES, () => server.query(database, statement()));
    const together = Array.from({ length: DELETES_TOGETHER }, statement).join('; ');
    const togetherMs = (await seconds(() => server.query(database, together))) * 1000;
    const inOne = Array.from({ length: DELETES_TOGETHER }, nextId).join('|');
    const patternMs =
      (await seconds(() => server.query(database, `${verb} FROM "h" WHERE "s" =~ /^(${inOne})$/`))) * 1000;
    const gone = before - (await remaining(server, database));
    const removed = Array.from({ length: next - first }, (_, index) => nodeId(first + 1 + index)).join('|');
    const left = await server.query(database, `SELECT count(p) FROM h WHERE s =~ /^(${removed})$/`);
    const again = await server.tryWrite(database, `h,s=${nodeId(next)} v=1,p=1i ${timeMs(0)}`);
    rows.push([
      verb,
      fixed(oneMs),
      fixed(togetherMs / DELETES_TOGETHER),
      fixed(patternMs / DELETES_TOGETHER),
      Number(left[0]?.[1] ?? 0),
      `${gone} of ${next - first}`,
      again.status,
    ]);
  }
  printTable(
    `g) Removing series of ${thousands(SERIES)}`,
    [
      'statement',
      'one, ms',
      `each of ${DELETES_TOGETHER} in one request, ms`,
      `each of ${DELETES_TOGETHER} by one pattern, ms`,
      'records left',
      'gone from the index',
      'writing again answers',
    ],
    rows,
  );
  await server.drop(database);
}

const remaining = async (server: LayoutServer, database: string): Promise<number> =>
  Number((await server.query(database, 'SHOW SERIES EXACT CARDINALITY FROM h'))[0]?.[0]);
