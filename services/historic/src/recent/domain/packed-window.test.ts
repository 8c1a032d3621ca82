import { ValueType } from '@catchment/contracts/nodes';
import { seedOf } from '@catchment/testkit/amount';
import { column } from '@catchment/testkit/columns';
import { applyToModel, columnOf, type Model, randomFrom, randomWrite, sorted } from '@catchment/testkit/write-model';
import { planWrite, UNASKED } from '../../records/domain/plan-write.ts';
import type { FetchPlan } from '../../records/domain/read-range.ts';
import { emptyRecord, type StoredRecord } from '../../records/domain/record-set.ts';
import { MAX_RECORD_MS } from '../../series/domain/store-range.ts';
import { coverageOf, PackedWindow, restBehind } from './packed-window.ts';

const SEED = seedOf('PACKED_SEED');
const NUMBER = ValueType.VALUE_TYPE_NUMBER;
const TEXT = ValueType.VALUE_TYPE_TEXT;

const at = (timeMs: number, number = timeMs): StoredRecord => ({ ...emptyRecord(), timeMs, number });
function windowOf(times: readonly number[], range = { fromMs: 0, toMs: MAX_RECORD_MS }): PackedWindow {
  const window = new PackedWindow(NUMBER, range);
  for (const timeMs of times) window.append(at(timeMs));
  return window;
}
const plan = (change: Partial<FetchPlan> = {}): FetchPlan => ({
  fromMs: 0,
  toMs: MAX_RECORD_MS,
  order: 'ascending',
  limit: undefined,
  ...change,
});
const timesOf = (window: PackedWindow, of: Partial<FetchPlan> = {}) =>
  Array.from(window.visit(plan(of)), ({ timeMs }) => timeMs);

test.each([false, true])(`random writes leave what the model has (seed ${SEED}, texts: %s)`, (isText) => {
  const random = randomFrom(SEED);
  const valueType = isText ? TEXT : NUMBER;
  for (let round = 0; round < 200; round += 1) {
    const window = new PackedWindow(valueType, { fromMs: 2_000, toMs: 9_000 });
    const model: Model = new Map();
    for (let n = 0; n < 20; n += 1) {
      const { mode, updates } = randomWrite(random, 1_500, isText);
      // The others clear a range, or look at what is there.
      if (mode !== 'MERGE_OVERWRITE_EXISTING' && mode !== 'DELETE') continue;
      const written = planWrite(columnOf(mode, updates, { valueType }), UNASKED);
      applyToModel(model, mode, updates);
      for (const column of written.kind === 'write' ? written.columns : []) expect(window.merge(column)).toBe(true);
    }
    const own = sorted(model).filter(([time]) => time >= 2_000 && time <= 9_000);
    const found = Array.from(window.visit(plan()), ({ timeMs, number, text, quality: q, annotation: a }) => {
      const v = isText ? text : number;
      return [timeMs, { ...(v !== undefined && { v }), ...(q !== undefined && { q }), ...(a !== undefined && { a }) }];
    });
    expect(found).toEqual(own);
  }
});

test.each([
  ['a part is kept from the point', { ...column([5]), kept: Uint8Array.of(1) }],
  ['it is of another type', column([5], { valueType: TEXT, texts: ['a'], numbers: new Float64Array(0) })],
  ['times do not ascend', column([5, 5])],
])('what the store has is not known where %s', (_what, column) => {
  expect(windowOf([1, 9]).merge(column)).toBe(false);
});

test('a number of no size is 0, as the store has it', () => {
  const window = windowOf([]);
  window.merge(column([1], { numbers: Float64Array.of(-0) }));
  expect([...window.visit(plan())].map(({ number }) => number)).toEqual([0]);
});

test('whoever reads a window sees the records of the moment in which it began, whatever is written meanwhile', () => {
  const window = windowOf([10, 20, 30]);
  const reading = window.visit(plan());
  expect(reading.next().value?.timeMs).toBe(10);
  window.merge(column([15, 20, 25, 40], { numbers: Float64Array.of(1, 2, 3, 4) }));
  const rest = Array.from(reading, ({ timeMs, number }) => [timeMs, number]);
  expect(rest).toEqual([
    [20, 20],
    [30, 30],
  ]);
  expect(timesOf(window)).toEqual([10, 15, 20, 25, 30, 40]);
});

const middle = () => windowOf([10, 20, 30, 40], { fromMs: 10, toMs: 40 });
test.each<[string, Partial<FetchPlan>, string]>([
  ['all of it', { fromMs: 10, toMs: 40 }, 'all'],
  ['more, later', { fromMs: 10 }, 'none'],
  ['more, later, of which it wants no more than are here', { fromMs: 20, limit: 3 }, 'begin'],
  ['one more than are here', { fromMs: 20, limit: 4 }, 'none'],
  ['the newest, which may be others', { order: 'descending', limit: 1 }, 'none'],
  ['the newest up to a time', { order: 'descending', toMs: 35, limit: 3 }, 'begin'],
  ['the same, and one more', { order: 'descending', toMs: 35, limit: 4 }, 'none'],
  ['what begins before it', { fromMs: 9, limit: 1 }, 'none'],
])('a window covers a plan of %s', (_what, of, expected) => {
  expect(coverageOf(middle(), plan(of))).toBe(expected);
});

test('a plan goes on behind the window', () => {
  expect(restBehind(middle(), plan({ fromMs: 20, limit: 3 }))).toMatchObject({ fromMs: 41, toMs: MAX_RECORD_MS });
  expect(restBehind(middle(), plan({ order: 'descending', toMs: 35 }))).toMatchObject({ fromMs: 0, toMs: 9 });
});

test('a window that gives up its older half begins behind it', () => {
  const window = windowOf([10, 20, 30, 40, 50]);
  const { bytes } = windowOf(Array.from({ length: 10_000 }, (_, n) => n));
  window.dropOlder();
  expect([window.range.fromMs, timesOf(window)]).toEqual([31, [40, 50]]);
  expect(bytes).toBeLessThan(10_000 * 16 * 1.5);
});
