import { value } from '../influx-floor.ts';
import type { LayoutServer } from './layout-server.ts';
import { BATCH, bestOf, bodiesOf, FLAG, MODIFIED_MS, nodeId, presence, RUNS, timeMs } from './measure.ts';
import { fixed, printTable, relative, thousands } from './print.ts';

const SERIES = 80;
const POINTS = SERIES * BATCH;
const REPLACED_BY = 100;

const bodies = (fields: (n: number) => string): Buffer[] =>
  bodiesOf(POINTS, (n) => `h,s=${nodeId(Math.floor(n / BATCH))} ${fields(n)} ${timeMs(n % BATCH)}`);

const withQuality = bodies((n) => `v=${value(n)},p=${presence(MODIFIED_MS, FLAG.value | FLAG.quality)}i,q=192i`);
const withoutQuality = bodies((n) => `v=${value(n) + REPLACED_BY},p=${presence(MODIFIED_MS + 60_000, FLAG.value)}i`);

type Variant = { readonly name: string; readonly before: 'nothing' | 'in memory' | 'on disk' };
const FIRST: Variant = { name: 'first write', before: 'nothing' };
const VARIANTS: readonly Variant[] = [
  FIRST,
  { name: 'over records still in memory', before: 'in memory' },
  { name: 'over compacted records', before: 'on disk' },
];

/** Replaces records that had a quality by ones that have none: the rate, and what reading shows afterwards. */
export async function measureOverwrite(server: LayoutServer): Promise<void> {
  const bytes = new Map<Variant, number>();
  let last = '';
  const best = await bestOf(VARIANTS, async (variant, round) => {
    const database = await server.database();
    if (variant.before !== 'nothing') await server.write(database, withQuality);
    if (variant.before === 'on disk') await server.settle(database);
    const taken = await server.write(database, withoutQuality);
    if (round === RUNS) {
      await server.settle(database);
      bytes.set(variant, (await server.disk(database)).recordBytes / POINTS);
    }
    if (round === RUNS && variant.before === 'on disk') last = database;
    else await server.drop(database);
    return taken;
  });
  const rows = VARIANTS.map((variant) => [
    variant.name,
    thousands(POINTS / best(variant)),
    relative(best(FIRST), best(variant)),
    fixed(bytes.get(variant) ?? Number.NaN, 2),
  ]);
  printTable(
    `c) Replacing (${thousands(POINTS)} records with quality by ones without, best of ${RUNS})`,
    ['write', 'records/s', '', 'bytes/record after compaction'],
    rows,
  );
  console.log(`\n${await inspect(server, last)}`);
  await server.drop(last);
}

async function inspect(server: LayoutServer, database: string): Promise<string> {
  let stale = 0;
  let shown = 0;
  let replaced = 0;
  for (let series = 0; series < SERIES; series += 1) {
    const rows = await server.query(database, `SELECT p, q, v FROM h WHERE s = '${nodeId(series)}'`);
    for (const [index, [, p, q, v]] of rows.entries()) {
      if (q !== null) stale += 1;
      if ((Number(p) % 8) & FLAG.quality) shown += 1;
      if (Math.abs(Number(v) - value(series * BATCH + index) - REPLACED_BY) < 1e-9) replaced += 1;
    }
  }
  return `Of ${thousands(POINTS)} replaced records ${thousands(replaced)} have the new value, ${thousands(stale)} still hold the old quality in the store, ${thousands(shown)} show it by their presence bits.`;
}
