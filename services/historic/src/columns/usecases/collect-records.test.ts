import { DEFAULT_TABLE } from '@catchment/quality';
import { seriesNode, TYPES } from '../../../test/series.ts';
import type { StoredRecord } from '../../records/domain/record-set.ts';
import type { RecordReader } from '../../records/usecases/ports.ts';
import { AnswerBudget } from '../domain/answer-budget.ts';
import { collectModified, collectRecords } from './collect-records.ts';

const PLAN = { fromMs: 0, toMs: 1e6, order: 'ascending', limit: undefined } as const;
const LIMITS = { maxRecords: 10, maxBytes: 5_000 };

/** The store has these records; `visited` counts the records that were read. */
function store(records: Partial<StoredRecord>[]) {
  const state = { visited: 0 };
  const none = { modifiedMs: 0, number: 1, longitude: undefined, text: undefined, quality: undefined };
  const visitAll = async (list: Partial<StoredRecord>[], visit: (record: StoredRecord) => boolean) => {
    for (const record of list) {
      state.visited += 1;
      if (!visit({ timeMs: 0, annotation: undefined, ...none, ...record })) return;
    }
  };
  const reader: RecordReader = {
    scan: (_series, { order }, _signal, visit) =>
      visitAll(order === 'ascending' ? records : [...records].reverse(), visit),
    scanModified: (_series, _modified, _signal, visit) => visitAll(records, visit),
  };
  return { reader, state };
}
const from = (reader: RecordReader, change: Partial<Parameters<typeof collectRecords>[0]> = {}) => ({
  reader,
  node: seriesNode(),
  excluded: new Set<never>(),
  quality: DEFAULT_TABLE,
  budget: new AnswerBudget(LIMITS),
  signal: new AbortController().signal,
  ...change,
});
const times = (n: number, change: (time: number) => Partial<StoredRecord> = () => ({})) =>
  Array.from({ length: n }, (_, timeMs) => ({ timeMs, ...change(timeMs) }));

test('stops at the limit, and turns what came newest first', async () => {
  const { reader, state } = store(times(9));
  const { times: got, count } = await collectRecords(from(reader), { ...PLAN, order: 'descending', limit: 3 });
  expect([...got.subarray(0, count)]).toEqual([6, 7, 8]);
  expect(state.visited).toBe(3);
});

test('excluded qualities do not count for the limit', async () => {
  const { reader } = store([
    { timeMs: 1, quality: 155 },
    { timeMs: 2, quality: 9 },
    { timeMs: 3 },
    { timeMs: 4, quality: 162 },
  ]);
  const excluded = new Set(['BAD', 'UNCERTAIN'] as const);
  const got = await collectRecords(from(reader, { excluded }), { ...PLAN, limit: 2 });
  expect([...got.times.subarray(0, got.count)]).toEqual([3, 4]);
});

test.each([
  ['records', times(11)],
  ['bytes of text', times(2, () => ({ text: '€'.repeat(1_000) }))],
  ['bytes of annotations', times(10, () => ({ annotation: 'x'.repeat(500) }))],
])('more %s than an answer may have: 413, not held', async (_what, records) => {
  const { reader } = store(records);
  const text = records[0] && 'text' in records[0];
  const node = seriesNode(text ? { series: { valueType: TYPES.TEXT } } : {});
  await expect(collectRecords(from(reader, { node }), PLAN)).rejects.toMatchObject({ kind: 'too_large' });
});

test('as many as are allowed are an answer', async () => {
  const { reader } = store(times(10));
  expect((await collectRecords(from(reader), PLAN)).count).toBe(10);
});

test('the first written ones are kept, by their own time, and of those behind a place only', async () => {
  const written = [90, 10, 50, 20, 80];
  const { reader } = store(times(5, (time) => ({ modifiedMs: written[time] ?? 0 })));
  const timesOf = async (range: Partial<Parameters<typeof collectModified>[1]>) => {
    const { records: got, modified } = await collectModified(from(reader), { startMs: 5, endMs: 100, ...range });
    return [...got.times.subarray(0, got.count)].map((time, n) => [time, modified[n]]);
  };
  expect(await timesOf({ most: 2 })).toEqual([
    [1, 10],
    [3, 20],
  ]);
  expect(await timesOf({ most: 2, after: { modifiedMs: 20, timeMs: 3 } })).toEqual([
    [2, 50],
    [4, 80],
  ]);
  expect(await timesOf({ after: { modifiedMs: 50, timeMs: 1 } })).toEqual([
    [0, 90],
    [2, 50],
    [4, 80],
  ]);
  expect(await timesOf({ after: { modifiedMs: 101, timeMs: 0 } })).toEqual([]);
});

test('a limit bounds what is held of many modified records', async () => {
  const { reader } = store(times(20_000, (time) => ({ modifiedMs: (time * 7_919) % 20_000 })));
  const budget = new AnswerBudget({ maxRecords: 2_000, maxBytes: 1e6 });
  const { records: got } = await collectModified(from(reader, { budget }), { startMs: 0, endMs: undefined, most: 3 });
  const expected = Array.from({ length: 20_000 }, (_, time) => time)
    .sort((a, b) => ((a * 7_919) % 20_000) - ((b * 7_919) % 20_000))
    .slice(0, 3);
  expect([...got.times.subarray(0, got.count)]).toEqual(expected.sort((a, b) => a - b));
});
