import { transformOf } from '@catchment/equation';
import { DomainError } from '@catchment/errors';
import { DEFAULT_TABLE } from '@catchment/quality';
import { seedOf } from '@catchment/testkit/amount';
import { arrayReader } from '../../../test/array-reader.ts';
import { plainColumn, plainM4 } from '../../../test/m4-reference.ts';
import { randomOf } from '../../../test/random-aggregates.ts';
import { seriesNode } from '../../../test/series.ts';
import { AnswerBudget } from '../../columns/domain/answer-budget.ts';
import { readOptions } from '../../columns/domain/read-options.ts';
import { viewOf } from '../../columns/domain/series-view.ts';
import { emptyRecord, type RecordSet, type StoredRecord } from '../../records/domain/record-set.ts';
import { collectM4 } from './collect-m4.ts';
import type { RecordOutlines } from './ports.ts';

const START = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;
const { signal } = new AbortController();
type Own = Partial<StoredRecord>;

const isPlain = ({ number, quality, annotation }: Own): boolean =>
  number !== undefined && quality === undefined && annotation === undefined;

/** Finds outstanding records as the store does: by its own division of nanoseconds. */
function storeOf(records: readonly Own[], asked: string[]): RecordOutlines {
  return {
    extremes: async (_nodeId, { fromMs, toMs, bucketNs, offsetNs }, _signal, { low, high, other }) => {
      asked.push('extremes');
      const inside = records.filter(({ timeMs = 0 }) => timeMs >= fromMs && timeMs < toMs);
      const bucketOf = ({ timeMs = 0 }: Own) => (BigInt(timeMs) * 1_000_000n - offsetNs) / bucketNs;
      for (const own of Map.groupBy(inside, bucketOf).values()) {
        if (!own.every(isPlain)) other(own[0]?.timeMs ?? 0);
        const numbers = own.filter(({ number }) => number !== undefined);
        const by = (a: Own, b: Own) => (a.number ?? 0) - (b.number ?? 0) || (a.timeMs ?? 0) - (b.timeMs ?? 0);
        const [lowest] = numbers.toSorted(by);
        const highest = numbers.find(
          ({ number }) => number === Math.max(...numbers.map((record) => record.number ?? 0)),
        );
        if (lowest) low(lowest.timeMs ?? 0, lowest.number ?? 0);
        if (highest) high(highest.timeMs ?? 0, highest.number ?? 0);
      }
    },
    numbers: async (_nodeId, { fromMs, toMs }, _signal, visit) => {
      asked.push('numbers');
      const inside = records.filter(({ timeMs = 0 }) => timeMs >= fromMs && timeMs <= toMs);
      if (!inside.every(isPlain)) return false;
      for (const { timeMs = 0, number = 0 } of inside) visit(timeMs, number);
      return true;
    },
    edgesCost: async () => 0,
    edges: async (_nodeId, ranges, _signal, visit) => {
      asked.push('edges');
      for (const { fromMs, toMs } of ranges) {
        const inside = records.filter(
          ({ timeMs = 0, number }) => timeMs >= fromMs && timeMs <= toMs && number !== undefined,
        );
        for (const record of [inside[0], inside.at(-1)]) if (record) visit(record.timeMs ?? 0, record.number ?? 0);
      }
    },
  };
}

type Asked = {
  readonly startMs: number;
  readonly endMs: number;
  readonly columns: number;
  readonly series?: Parameters<typeof seriesNode>[0] extends infer C
    ? C extends { series?: infer S }
      ? S
      : never
    : never;
  readonly outlines?: RecordOutlines | undefined;
  readonly excluded?: string;
  readonly wholeUpTo?: number;
  readonly maxRecords?: number;
};

const collect = async (records: readonly Own[], asked: Asked) => (await outlined(records, asked)).records;

async function outlined(
  records: readonly Own[],
  { startMs, endMs, columns, series = {}, outlines, excluded, wholeUpTo = 0, maxRecords = 1e6 }: Asked,
) {
  const node = seriesNode({ series });
  const given = { limit: '', reduce: 'M4', width: String(columns), ...(excluded && { qualityExcluded: excluded }) };
  const options = readOptions(given, 0);
  const column = { node, options, view: viewOf(node, options) };
  const from = {
    reader: arrayReader(records.map((record) => ({ ...emptyRecord(), ...record }))),
    outlines,
    node,
    signal,
    excluded: options.excluded ?? new Set<never>(),
    quality: DEFAULT_TABLE,
    budget: new AnswerBudget({ maxRecords, maxBytes: 1e9 }),
  };
  return collectM4(from, column, { count: columns, wholeUpTo }, { startMs, endMs });
}

const all = (set: RecordSet) =>
  Array.from({ length: set.count }, (_, n) => set.at(n)).map(({ timeMs, number, quality }) => ({
    timeMs,
    number,
    quality,
  }));
const shown = (records: readonly Own[]) => records.map(({ timeMs, number, quality }) => ({ timeMs, number, quality }));

const at = (minute: number, number?: number, more: Own = {}): Own => ({
  timeMs: START + minute * MINUTE,
  number,
  ...more,
});

test.each<[string, readonly Own[], readonly number[]]>([
  ['nothing', [], []],
  ['one record', [at(0, 5)], [0]],
  ['records alike', [at(0, 5), at(1, 5), at(2, 5), at(3, 5)], [0, 3]],
  ['first, highest, lowest and last in their order', [0, 3, 9, 4, -2, 1, 2].map((v, n) => at(n, v)), [0, 2, 4, 6]],
  ['of equal extremes the earliest', [3, 1, 9, 1, 9, 2].map((v, n) => at(n, v)), [0, 1, 2, 5]],
  ['a rise', [1, 2, 3, 4].map((v, n) => at(n, v)), [0, 3]],
  ['the end of the range in the last column', [at(59, 1), at(60, 2)], [59, 60]],
  ['a gap between two', [at(0, 1), at(1), at(2), at(3, 2)], [0, 2, 3]],
  ['gaps before and after', [at(0), at(1), at(2, 5), at(3), at(4)], [1, 2, 4]],
  ['only gaps', [at(0), at(1), at(2)], [2]],
  ['a gap among records that are left out', [at(0, 1), at(1, 5), at(2), at(3, 4), at(4, 9)], [0, 2, 4]],
  ['outside of the range', [at(-1, 100), at(0, 1), at(61, 100)], [0]],
])('of a column are kept: %s', async (_what, records, minutes) => {
  const kept = await collect(records, { startMs: START, endMs: START + 60 * MINUTE, columns: 1 });
  expect(all(kept).map(({ timeMs }) => (timeMs - START) / MINUTE)).toEqual(minutes);
});

test('a kept record is whole, a gap keeps its quality, and excluded records are neither', async () => {
  const records = [
    at(0, 1, { quality: 155, annotation: 'low' }),
    at(1, 99, { quality: 9 }),
    at(2, undefined, { quality: 158 }),
    at(3, 2),
  ];
  const range = { startMs: START, endMs: START + 4 * MINUTE, columns: 1 };
  const kept = await collect(records, { ...range, excluded: 'UNCERTAIN' });
  expect([kept.at(0).annotation, ...all(kept)]).toEqual([
    'low',
    ...shown([records[0], records[2], records[3]] as Own[]),
  ]);
  expect(all(await collect(records, { ...range, excluded: 'BAD,UNCERTAIN' }))).toEqual(shown([records[3] as Own]));
});

test('what an equation makes lowest and highest is kept, and what it leaves no number of is a gap', async () => {
  const records = [-3, 1, 0.5, 2, -1, 1].map((v, n) => at(n, v));
  const range = { startMs: START, endMs: START + 10 * MINUTE, columns: 1 };
  const squares = await collect(records, { ...range, series: { equation: '(x-1)^2' } });
  expect(all(squares).map(({ number }) => number)).toEqual([-3, 1, 1]);
  const roots = await collect(records, { ...range, series: { equation: 'sqrt(x)' } });
  expect(all(roots).map(({ number }) => number)).toEqual([-3, 1, 0.5, 2, -1, 1]);
});

test.each<[string, { records?: number; wholeUpTo?: number; excluded?: string }, 'all' | 'outline']>([
  ['as many as may be whole', { wholeUpTo: 5_000 }, 'all'],
  ['one more', { wholeUpTo: 4_999 }, 'outline'],
  ['one more, of which one is excluded', { wholeUpTo: 4_999, excluded: 'UNCERTAIN' }, 'all'],
  ['many, whose rest is asked of the store', { records: 60_000, wholeUpTo: 5_000 }, 'outline'],
  ['none', { records: 0, wholeUpTo: 5 }, 'all'],
  ['any, where none are to be whole', { records: 3 }, 'outline'],
])('of %s of a range, what is answered', async (_what, { records: count = 5_000, ...asked }, answered) => {
  const records = Array.from({ length: count }, (_, n) =>
    n === 7 ? at(n, 4, { quality: 9 }) : n % 11 === 10 ? at(n) : at(n, n % 13, n === 20 ? { annotation: 'seen' } : {}),
  );
  const range = { startMs: START, endMs: START + 60_000 * MINUTE, columns: 1 };
  const outlines = storeOf(records, []);
  const found = await outlined(records, { ...range, ...asked, outlines });
  const counted = records.filter(({ quality }) => !asked.excluded || quality !== 9);
  const expected = answered === 'all' ? counted : plainM4(counted, range, ({ number = Number.NaN }) => number);
  expect(found.isWhole).toBe(answered === 'all');
  expect(all(found.records)).toEqual(shown(expected));
  expect(found.records.annotations.size).toBe(answered === 'all' && count > 0 ? 1 : 0);
});

test('what is answered whole counts within the limit of an answer', async () => {
  const range = { startMs: START, endMs: START + 20 * MINUTE, columns: 1, wholeUpTo: 20 };
  const records = minutes(20, (n) => n);
  expect((await outlined(records, { ...range, maxRecords: 20 })).records.count).toBe(20);
  await expect(outlined(records, { ...range, maxRecords: 19 })).rejects.toMatchObject({ kind: 'too_large' });
});

const seed = seedOf('M4_SEED');
const cases = Number(process.env.M4_CASES ?? 300);
const TRANSFORMS = [
  {},
  { multiplier: -2, offset: 3 },
  { equation: 'x^2' },
  { equation: 'sqrt(x)' },
  { multiplier: 1e308 },
];

test(`${cases} random series have the columns of the plain computation, whoever finds them (M4_SEED=${seed})`, async () => {
  const random = randomOf(seed);
  const whole = (max: number) => Math.floor(random() * (max + 1));
  const pick = <T>(list: readonly T[]): T => list[whole(list.length - 1)] as T;
  for (let n = 0; n < cases; n += 1) {
    const count = pick([0, 1, 3, 50, 500, 30_000]);
    const spanMs = pick([0, 50, 5_000, 3_600_001, 86_400_000 * 400 + 7]);
    const startMs = pick([START, START + 11, -MINUTE]);
    const [cleanness, levels] = [pick([1, 0.999, 0.7]), pick([3, 1_000])];
    const times = new Set<number>();
    for (let record = 0; record < count; record += 1) times.add(startMs + Math.floor((random() * 1.1 - 0.05) * spanMs));
    const records = [...times]
      .sort((a, b) => a - b)
      .map((timeMs): Own => {
        const number = (whole(levels) - levels / 2) / 8;
        if (random() < cleanness) return { timeMs, number };
        return pick<Own>([
          { timeMs, quality: 158 },
          { timeMs, number, quality: 155 },
          { timeMs, number, quality: 9 },
        ]);
      });
    const range = { startMs, endMs: startMs + spanMs, columns: pick([1, 7, 60, 997]) };
    const series = pick(TRANSFORMS);
    const asked: string[] = [];
    const store = storeOf(records, asked);
    const outlines = pick([undefined, store, { ...store, edgesCost: async () => 10 }]);
    const found = await collect(records, { ...range, series, outlines, excluded: 'UNCERTAIN' });
    const { apply } = transformOf({ multiplier: 1, offset: 0, equation: '', ...series });
    const numberOf = ({ number }: Own) => (number === undefined ? Number.NaN : apply(number));
    const expected = plainM4(
      records.filter(({ quality }) => quality !== 9),
      range,
      numberOf,
    );
    try {
      expect(all(found)).toEqual(shown(expected));
    } catch (error) {
      throw new Error(`seed ${seed}, case ${n}: ${JSON.stringify({ range, series, asked, count })}`, { cause: error });
    }
  }
});

const minutes = (count: number, value: (n: number) => number): Own[] =>
  Array.from({ length: count }, (_, n) => at(n, value(n)));

test('a dense range is asked of the store, but for its beginning and for columns with more than numbers', async () => {
  const records = minutes(60_000, (n) => (n % 7_000 === 6_999 ? 500 : Math.sin(n)));
  const marked = records.map((record, n) => (n >= 30_000 && n < 30_010 ? { ...record, quality: 155 } : record));
  const asked: string[] = [];
  const scanned: number[] = [];
  const range = { startMs: START, endMs: START + 60_000 * MINUTE, columns: 200 };
  const node = seriesNode();
  const options = readOptions({ reduce: 'M4', width: '200' }, 0);
  const reader = arrayReader(marked.map((record) => ({ ...emptyRecord(), ...record })));
  const from = {
    reader: {
      ...reader,
      scan: (...[series, plan, own, visit]: Parameters<typeof reader.scan>) =>
        reader.scan(series, plan, own, (record) => {
          scanned.push(record.timeMs);
          return visit(record);
        }),
    },
    outlines: storeOf(marked, asked),
    node,
    signal,
    excluded: new Set<never>(),
    quality: DEFAULT_TABLE,
    budget: new AnswerBudget({ maxRecords: 1_000, maxBytes: 1e9 }),
  };
  const column = { node, options, view: viewOf(node, options) };
  const { records: found } = await collectM4(from, column, { count: 200 }, range);
  const expected = plainM4(marked, range, ({ number = Number.NaN }) => number);
  expect(all(found)).toEqual(shown(expected));
  expect(asked).toEqual(['extremes', 'extremes', 'edges', 'edges']);
  expect(scanned.length).toBeLessThan(6_000);
  for (const [column, own] of Map.groupBy(all(found), ({ timeMs }) => plainColumn(range, timeMs)))
    expect([column, own.length]).toEqual([column, Math.min(own.length, 4)]);
});

test('a store that does not know the question leaves the rest to the records', async () => {
  const records = minutes(40_000, (n) => n % 13);
  const refuse = () => Promise.reject(new DomainError('unavailable', 'INFLUX_REFUSED', 'no top'));
  const range = { startMs: START, endMs: START + 40_000 * MINUTE, columns: 30 };
  const found = await collect(records, {
    ...range,
    outlines: { numbers: async () => false, edgesCost: async () => 0, extremes: refuse, edges: refuse },
  });
  expect(all(found)).toEqual(shown(plainM4(records, range, ({ number = Number.NaN }) => number)));
});

test('a store that finds single records slowly is not asked for them: the rest is read in two parts', async () => {
  const records = minutes(60_000, (n) => n % 13).map((record, n) =>
    n % 900 === 450 ? at(n, undefined, { quality: 158 }) : record,
  );
  const asked: string[] = [];
  const range = { startMs: START, endMs: START + 60_000 * MINUTE, columns: 70 };
  const outlines = { ...storeOf(records, asked), edgesCost: async () => 10 };
  const found = await collect(records as Own[], { ...range, outlines });
  expect(all(found)).toEqual(shown(plainM4(records as Own[], range, ({ number = Number.NaN }) => number)));
  expect(asked).toEqual(['numbers', 'numbers']);
});

test('a number that the transform makes too large is a gap, also among those that the store finds', async () => {
  const records = minutes(60_000, (n) => (n % 20_000 === 15_000 ? 2 : Math.sin(n)));
  const asked: string[] = [];
  const range = { startMs: START, endMs: START + 60_000 * MINUTE, columns: 70 };
  const found = await collect(records, { ...range, series: { multiplier: 1e308 }, outlines: storeOf(records, asked) });
  const numberOf = ({ number = Number.NaN }: Own) => (number === 2 ? Number.NaN : number * 1e308);
  expect(all(found)).toEqual(shown(plainM4(records, range, numberOf)));
  expect(asked).toContain('edges');
});
