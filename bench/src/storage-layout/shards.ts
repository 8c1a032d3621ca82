import { value } from '../influx-floor.ts';
import { LayoutServer } from './layout-server.ts';
import { bestMs, bodiesOf, FLAG, MODIFIED_MS, nodeId, presence, RUNS, seconds } from './measure.ts';
import { fixed, mib, printTable, relative, thousands } from './print.ts';

const FIRST_MS = Date.UTC(2005, 0, 1);
const HOUR_MS = 3_600_000;
const POINTS = 20 * 8_766;
const READS = 7;
const SERIES = nodeId(1);
const DURATIONS = ['52w', '7d'] as const;

/** Other series of the same years, a record a month. */
const SPARSE = 100;
const MONTHS = 240;
const sparseId = (index: number): string => nodeId(1_000 + index);
const sparseBodies = bodiesOf(
  SPARSE * MONTHS,
  (n) => `h,s=${sparseId(n % SPARSE)} v=${value(n)},p=9i ${FIRST_MS + Math.floor(n / SPARSE) * 730 * HOUR_MS}`,
);

const hour = (n: number): number => FIRST_MS + n * HOUR_MS;
const bodies = bodiesOf(
  POINTS,
  (n) => `h,s=${SERIES} v=${value(n)},p=${presence(MODIFIED_MS, FLAG.value)}i ${hour(n)}`,
);

type Figures = Record<
  'rate' | 'rateAgain' | 'memory' | 'shards' | 'files' | 'bytes' | 'read' | 'start' | 'remove',
  number
> &
  Record<'removeEach' | 'removeAgain' | 'removeByPattern', number | null>;

/** Twenty years of hourly records at once, as a logger's archive brings them, in short and long shards. */
export async function measureShards(): Promise<void> {
  const runs: Record<(typeof DURATIONS)[number], Figures[]> = { '52w': [], '7d': [] };
  for (let round = 1; round <= RUNS; round += 1) {
    runs['52w'].push(await oneRun('52w', round === RUNS));
  }
  // Once: it takes a minute, and differs by far more than runs do. Nor are many series removed: each takes seconds.
  runs['7d'].push(await oneRun('7d', true));
  const year = best(runs['52w']);
  const rows = DURATIONS.map((duration) => {
    const figures = best(runs[duration]);
    return [
      duration,
      `${thousands(figures.rate)} (${relative(figures.rate, year.rate)})`,
      `${thousands(figures.rateAgain)} (${relative(figures.rateAgain, year.rateAgain)})`,
      figures.shards,
      figures.files,
      fixed(figures.bytes / (POINTS + SPARSE * MONTHS), 2),
      mib(figures.memory),
      fixed(figures.read, 0),
      fixed(figures.start, 1),
      fixed(figures.remove, 0),
      orDash(figures.removeEach),
      orDash(figures.removeAgain),
      orDash(figures.removeByPattern),
    ];
  });
  printTable(
    `e) Shard duration (one series, ${thousands(POINTS)} hourly records over 20 years, writes of 52w best of ${RUNS}, the rest once)`,
    [
      'duration',
      'first write, records/s',
      'written again, records/s',
      'shards',
      'files',
      `bytes/record, with ${SPARSE} series of a record a month`,
      'memory after a restart, MiB',
      'whole series, ms',
      'restart, s',
      'DELETE of it, ms',
      `each of ${SPARSE / 2} other series by its own DELETE, ms`,
      'the same again, ms each',
      'each by one pattern, ms',
    ],
    rows,
  );
}

const NONE: Figures = {
  ...{ rate: 0, rateAgain: 0, memory: 0, shards: 0, files: 0, bytes: 0, read: 0, start: 0, remove: 0 },
  ...{ removeEach: null, removeAgain: null, removeByPattern: null },
};

async function oneRun(duration: string, isLast: boolean): Promise<Figures> {
  await using server = await LayoutServer.start();
  const database = await server.database(duration);
  const rate = POINTS / (await server.write(database, bodies));
  const rateAgain = POINTS / (await server.write(database, bodies));
  if (!isLast) return { ...NONE, rate, rateAgain };
  await server.write(database, sparseBodies);
  await server.settle(database);
  const disk = await server.disk(database);
  const start = await seconds(() => server.restart());
  const memory = await server.memoryBytes();
  const read = await bestMs(READS, () => server.query(database, `SELECT p, q, a, v FROM h WHERE s = '${SERIES}'`));
  const remove = (await seconds(() => server.query(database, `DELETE FROM h WHERE s = '${SERIES}'`))) * 1000;
  const { shards, files, recordBytes } = disk;
  const common = { rate, rateAgain, memory, shards, files, bytes: recordBytes, read, start, remove };
  const half = (from: number) => Array.from({ length: SPARSE / 2 }, (_, index) => sparseId(from + index));
  if (duration === '7d') return { ...common, removeEach: null, removeAgain: null, removeByPattern: null };
  const statements = half(0).map((id) => `DELETE FROM h WHERE s = '${id}'`);
  const removeEach = await eachMs(() => server.query(database, statements.join('; ')));
  const removeAgain = await eachMs(() => server.query(database, statements.join('; ')));
  const pattern = `DELETE FROM h WHERE s =~ /^(${half(SPARSE / 2).join('|')})$/`;
  const removeByPattern = await eachMs(() => server.query(database, pattern));
  return { ...common, removeEach, removeAgain, removeByPattern };
}

const orDash = (ms: number | null): string => (ms === null ? '–' : fixed(ms));

const eachMs = async (work: () => Promise<unknown>): Promise<number> => ((await seconds(work)) * 1000) / (SPARSE / 2);

function best(figures: readonly Figures[]): Figures {
  return {
    ...(figures.at(-1) ?? NONE),
    rate: Math.max(...figures.map(({ rate }) => rate)),
    rateAgain: Math.max(...figures.map(({ rateAgain }) => rateAgain)),
  };
}
