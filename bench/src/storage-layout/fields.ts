import { value } from '../influx-floor.ts';
import type { LayoutServer } from './layout-server.ts';
import { BATCH, bestMs, bestOf, bodiesOf, FLAG, MODIFIED_MS, nodeId, presence, RUNS, timeMs } from './measure.ts';
import { fixed, printTable, relative, thousands } from './print.ts';

/** Every series fills one batch, as a logger's upload does. */
const SERIES = 100;
const POINTS = SERIES * BATCH;
const READS = 8;
const QUALITY = 192;

type Variant = { readonly name: string; readonly select: string; readonly fields: (n: number) => string };

const modified = (n: number): number => MODIFIED_MS + Math.floor(n / BATCH) * 1_000;
/** Single readings as they come: written some two seconds after they were taken, never quite the same. */
const live = (n: number): number => timeMs(n) + 2_000 + ((n * 7919) % 1_000);
const p = (n: number, bits: number): string => `p=${presence(modified(n), bits)}i`;

const VARIANTS: readonly Variant[] = [
  { name: 'value only', select: 'v', fields: (n) => `v=${value(n)}` },
  {
    name: 'value + presence `p` (modified and bits in one), constant in a batch',
    select: 'p, v',
    fields: (n) => `v=${value(n)},${p(n, FLAG.value)}`,
  },
  {
    name: 'value + `p`, different on every record',
    select: 'p, v',
    fields: (n) => `v=${value(n)},p=${presence(live(n), FLAG.value)}i`,
  },
  {
    name: 'value + modified + bits as two integer fields',
    select: 'm, b, v',
    fields: (n) => `v=${value(n)},m=${modified(n)}i,b=${FLAG.value}i`,
  },
  {
    name: 'value + `p` + quality on every 10th record',
    select: 'p, q, v',
    fields: (n) =>
      n % 10 === 0
        ? `v=${value(n)},${p(n, FLAG.value | FLAG.quality)},q=${QUALITY}i`
        : `v=${value(n)},${p(n, FLAG.value)}`,
  },
  {
    name: 'value + `p` + quality on every record',
    select: 'p, q, v',
    fields: (n) => `v=${value(n)},${p(n, FLAG.value | FLAG.quality)},q=${QUALITY}i`,
  },
];

/** Cost of each further field of a record: writing, disk, reading. */
export async function measureFields(server: LayoutServer): Promise<void> {
  const kept = new Map<Variant, string>();
  const bestSeconds = await bestOf(VARIANTS, async (variant, round) => {
    const database = await server.database();
    const bodies = bodiesOf(
      POINTS,
      (n) => `h,s=${nodeId(Math.floor(n / BATCH))} ${variant.fields(n)} ${timeMs(n % BATCH)}`,
    );
    const taken = await server.write(database, bodies);
    if (round < RUNS) await server.drop(database);
    else kept.set(variant, database);
    return taken;
  });
  await server.settle(...kept.values());

  const rows = [];
  const base = { rate: 0, bytes: 0, readMs: 0 };
  for (const [variant, database] of kept) {
    const rate = POINTS / bestSeconds(variant);
    const bytes = (await server.disk(database)).recordBytes / POINTS;
    const readMs = await bestMs(READS, (n) =>
      server.query(database, `SELECT ${variant.select} FROM h WHERE s = '${nodeId(n)}'`),
    );
    if (base.rate === 0) Object.assign(base, { rate, bytes, readMs });
    rows.push([
      variant.name,
      thousands(rate),
      relative(rate, base.rate),
      fixed(bytes, 2),
      relative(bytes, base.bytes),
      fixed(readMs),
      relative(readMs, base.readMs),
    ]);
    await server.drop(database);
  }
  printTable(
    `a) Fields of a record (${thousands(POINTS)} records, ${SERIES} series, best of ${RUNS})`,
    ['fields', 'records/s', '', 'bytes/record', '', `read of ${thousands(BATCH)}, ms`, ''],
    rows,
  );
}
