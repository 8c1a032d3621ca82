import { transformOf } from '@catchment/equation';
import { newObjectId } from '@catchment/ids';
import { FLAG } from '@catchment/ingest-log';
import { DEFAULT_TABLE } from '@catchment/quality';
import { createLogger } from '@catchment/telemetry';
import { testInflux } from '@catchment/testkit';
import { seedOf } from '@catchment/testkit/amount';
import { column } from '@catchment/testkit/columns';
import { AnswerBudget } from '../src/columns/domain/answer-budget.ts';
import { readOptions } from '../src/columns/domain/read-options.ts';
import { viewOf } from '../src/columns/domain/series-view.ts';
import { InfluxConnection } from '../src/influx/store/influx-connection.ts';
import { InfluxOutlines } from '../src/outlines/store/influx-outlines.ts';
import { collectM4 } from '../src/outlines/usecases/collect-m4.ts';
import type { RecordOutlines } from '../src/outlines/usecases/ports.ts';
import type { RecordSet, StoredRecord } from '../src/records/domain/record-set.ts';

import { InfluxRecords } from '../src/records/store/influx-records.ts';
import { plainColumn, plainM4 } from './m4-reference.ts';
import { randomOf } from './random-aggregates.ts';
import { seriesNode, TYPES } from './series.ts';

const { signal } = new AbortController();
const START = Date.UTC(2023, 5, 1);
const MINUTE = 60_000;

type Own = { timeMs: number; number?: number; quality?: number };

let influx: Awaited<ReturnType<typeof testInflux>>;
let connection: InfluxConnection;
let records: InfluxRecords;
let outlines: InfluxOutlines;
beforeAll(async () => {
  influx = await testInflux();
  connection = new InfluxConnection({
    url: influx.url,
    database: influx.database,
    log: createLogger('test', { level: 'silent' }),
  });
  records = new InfluxRecords(connection);
  outlines = new InfluxOutlines(connection);
});
afterAll(async () => {
  connection?.close();
  await influx?.drop();
});

/** Writes numbers alone as a run, everything else with its parts; a time without any is deleted. */
async function write(nodeId: string, list: readonly Own[]): Promise<void> {
  const flags = list.map(
    ({ number, quality }) =>
      (number === undefined ? 0 : FLAG.value) | (quality === undefined ? 0 : FLAG.quality) || FLAG.deleteMarker,
  );
  const isPlain = flags.every((bits) => bits === FLAG.value);
  await records.writeColumns(
    [
      column(
        list.map(({ timeMs }) => timeMs),
        {
          nodeId,
          valueType: TYPES.NUMBER,
          flags: isPlain ? Uint8Array.of(FLAG.value) : Uint8Array.from(flags),
          numbers: Float64Array.from(list, ({ number }) => number ?? Number.NaN),
          qualities: Uint16Array.from(list, ({ quality }) => quality ?? 0),
        },
      ),
    ],
    signal,
  );
}

type Range = { readonly startMs: number; readonly endMs: number; readonly columns: number };
type Series = { readonly multiplier?: number; readonly offset?: number; readonly equation?: string };

/** Returns what is found, and how often the store was asked for it. */
async function ask(
  nodeId: string,
  { columns, ...bounds }: Range,
  series: Series = {},
  { store = outlines, cost = 0 }: { store?: RecordOutlines; cost?: number } = {},
) {
  const node = seriesNode({ nodeId, series });
  const options = readOptions({ reduce: 'M4', width: String(columns) }, 0);
  let questions = 0;
  const counted: RecordOutlines = {
    extremes: (...question) => {
      questions += 1;
      return store.extremes(...question);
    },
    numbers: (...question) => store.numbers(...question),
    // The newest writes are slow to find.
    edgesCost: async () => cost,
    edges: (...question) => store.edges(...question),
  };
  const from = {
    reader: records,
    outlines: counted,
    node,
    excluded: new Set<never>(),
    quality: DEFAULT_TABLE,
    signal,
    budget: new AnswerBudget({ maxRecords: 1e6, maxBytes: 1e9 }),
  };
  const column = { node, options, view: viewOf(node, options) };
  const { records: found } = await collectM4(from, column, { count: columns }, bounds);
  return { found: all(found), questions };
}

const all = (set: RecordSet) => Array.from({ length: set.count }, (_, n) => shown(set.at(n)));
const shown = ({ timeMs, number, quality }: Partial<StoredRecord>) => ({ timeMs, number, quality });

const plain = (list: readonly Own[], range: Range, series: Series = {}) => {
  const { apply } = transformOf({ multiplier: 1, offset: 0, equation: '', ...series });
  const numberOf = ({ number }: Own) => (number === undefined ? Number.NaN : apply(number));
  return plainM4(list, range, numberOf).map(shown);
};

const seed = seedOf('M4_SEED');
const cases = Number(process.env.M4_STORE_CASES ?? 12);

test(`${cases} random series have the same outline as in plain arrays, found by InfluxDB and by reading (M4_SEED=${seed})`, async () => {
  const random = randomOf(seed);
  const whole = (max: number) => Math.floor(random() * (max + 1));
  const pick = <T>(...list: T[]): T => list[whole(list.length - 1)] as T;
  let asked = 0;
  for (let n = 0; n < cases; n += 1) {
    const nodeId = newObjectId();
    const spanMs = pick(3_600_000, 86_400_000 * 40 + 1, 86_400_000 * 900);
    const levels = pick(4, 100_000);
    const times = new Set<number>();
    for (let record = 0; record < 30_000; record += 1) times.add(START + Math.floor(random() * spanMs));
    let list = [...times].sort((a, b) => a - b).map((timeMs): Own => ({ timeMs, number: whole(levels) - levels / 2 }));
    await write(nodeId, list);
    if (random() < 0.5) {
      // Later writes: other values, qualities, none at all, deleted records.
      const changed = new Map<number, Own>();
      const from = whole(list.length - 1);
      for (const { timeMs, number } of list.slice(from, from + whole(30)))
        changed.set(
          timeMs,
          pick<Own>(
            { timeMs, number: 1e6 },
            { timeMs, number: number ?? 0, quality: 155 },
            { timeMs, quality: 9 },
            { timeMs },
          ),
        );
      if (changed.size > 0) await write(nodeId, [...changed.values()]);
      list = list.flatMap((record) => {
        const now = changed.get(record.timeMs) ?? record;
        return now.number === undefined && now.quality === undefined ? [] : [now];
      });
    }
    for (const columns of [1, 7, 61, 113]) {
      const from = START + whole(Math.floor(spanMs / 10));
      const range = { startMs: from, endMs: from + Math.floor(spanMs * pick(0.5, 0.85, 1.2)), columns };
      const series = pick<Series>({}, {}, { multiplier: -3, offset: 1 }, { equation: 'x^2' }, { equation: '10-x/4' });
      const { found, questions } = await ask(nodeId, range, series, { cost: pick(0, 0, 100) });
      asked += questions;
      try {
        expect(found).toEqual(plain(list, range, series));
      } catch (error) {
        throw new Error(`seed ${seed}, case ${n}: ${JSON.stringify({ range, series, questions })}`, { cause: error });
      }
    }
  }
  expect(asked).toBeGreaterThan(0);
});

test('every spike of one sample among a year of minutes is in the outline, which InfluxDB finds', async () => {
  const nodeId = newObjectId();
  const count = 525_600;
  const isSpike = (n: number) => n % 4_793 === 2_000;
  const list = Array.from({ length: count }, (_, n) => ({
    timeMs: START + n * MINUTE,
    number: isSpike(n) ? (n % 2 === 0 ? 500 : -500) : Math.round(1000 * Math.sin(n / 500)) / 100,
  }));
  for (let from = 0; from < count; from += 50_000) await write(nodeId, list.slice(from, from + 50_000));
  const range = { startMs: START, endMs: START + (count - 1) * MINUTE, columns: 1_127 };
  const { found, questions } = await ask(nodeId, range);
  expect(questions).toBe(2);
  expect(found).toEqual(plain(list, range));
  expect((await ask(nodeId, range, {}, { cost: 100 })).found).toEqual(found);
  expect(found.filter(({ number = 0 }) => Math.abs(number) === 500).map(({ timeMs }) => timeMs)).toEqual(
    list.filter((_, n) => isSpike(n)).map(({ timeMs }) => timeMs),
  );
  const most = Math.max(
    ...[...Map.groupBy(found, ({ timeMs = 0 }) => plainColumn(range, timeMs)).values()].map((own) => own.length),
  );
  expect(most).toBe(4);
});

test('an InfluxDB that does not understand the question is not asked for more', async () => {
  const nodeId = newObjectId();
  const list = Array.from({ length: 30_000 }, (_, n) => ({ timeMs: START + n * MINUTE, number: n % 17 }));
  await write(nodeId, list);
  const range = { startMs: START, endMs: START + 30_000 * MINUTE, columns: 10 };
  const refusing: RecordOutlines = {
    // InfluxDB itself refuses: no bucket is so long.
    extremes: (id, run, own, see) => outlines.extremes(id, { ...run, bucketNs: 10n ** 30n }, own, see),
    numbers: outlines.numbers.bind(outlines),
    edgesCost: async () => 0,
    edges: () => Promise.reject(new Error('not asked')),
  };
  const { found, questions } = await ask(nodeId, range, {}, { store: refusing });
  expect(questions).toBe(1);
  expect(found).toEqual(plain(list, range));
});

test('whether single records are found soon is measured', async () => {
  const nodeId = newObjectId();
  const list = Array.from({ length: 1_000 }, (_, n) => ({ timeMs: START + n * MINUTE, number: n }));
  await write(nodeId, list);
  const ranges = [
    { fromMs: START, toMs: START + 9 * MINUTE },
    { fromMs: 0, toMs: 1 },
  ];
  expect(await outlines.edgesCost(nodeId, ranges, signal)).toBeGreaterThan(0);
  const edges: [number, number][] = [];
  await outlines.edges(nodeId, ranges, signal, (timeMs, number) => edges.push([timeMs, number]));
  expect(edges).toEqual([
    [START, 0],
    [START + 9 * MINUTE, 9],
  ]);
});
