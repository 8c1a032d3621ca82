import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { bytesOf } from '@catchment/contracts/packed-numbers';
import { type Column, FLAG } from '@catchment/ingest-log';
import { planWrite, UNASKED } from '../../records/domain/plan-write.ts';
import { rangesOf, TouchedSeries } from './touched-series.ts';

const columnOf = (times: readonly number[], change: Partial<Column> = {}): Column => ({
  nodeId: 'n',
  ownerId: 'o',
  workspaceId: 'w',
  sourceId: 's',
  valueType: ValueType.VALUE_TYPE_NUMBER,
  writeMode: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
  notifyOn: NotifyOn.NOTIFY_ON_LATEST_ONLY,
  modifiedMs: 0,
  username: '',
  texts: [],
  annotations: new Map(),
  traceparent: '',
  qualities: new Uint16Array(0),
  timestamps: Float64Array.from(times),
  flags: Uint8Array.of(FLAG.value),
  numbers: Float64Array.from(times),
  ...change,
});
function touchesOf(column: Column) {
  const touched = new TouchedSeries();
  touched.column(column, planWrite(column, UNASKED));
  return touched.messagesOf('n');
}
const many = Array.from({ length: 2_001 }, (_, n) => n);
const NO_TIMES = Buffer.alloc(0);
const LOUD = { silent: false, clears: false, stepMs: 0 };

test.each([
  ['one record is its time', columnOf([7]), [{ ...LOUD, fromMs: 7, toMs: undefined, timestamps: NO_TIMES }]],
  [
    'records at one interval are a range with that step',
    columnOf([1, 5, 9]),
    [{ ...LOUD, fromMs: 1, toMs: 9, timestamps: NO_TIMES, stepMs: 4 }],
  ],
  [
    'records at several intervals are their times',
    columnOf([1, 5, 8]),
    [{ ...LOUD, fromMs: 1, toMs: 8, timestamps: bytesOf(Float64Array.of(1, 5, 8)) }],
  ],
  [
    'records of which some go are their times, for readers that know no step',
    columnOf([1, 5, 9], { flags: Uint8Array.of(FLAG.value, FLAG.deleteMarker, FLAG.value) }),
    [{ ...LOUD, fromMs: 1, toMs: 9, timestamps: bytesOf(Float64Array.of(1, 5, 9)) }],
  ],
  ['many are a range', columnOf(many), [{ ...LOUD, fromMs: 0, toMs: 2_000, timestamps: NO_TIMES }]],
  [
    'many of which some go are a range in which records may have gone',
    columnOf(many, { flags: new Uint8Array(many.length).fill(FLAG.deleteMarker) }),
    [{ ...LOUD, clears: true, fromMs: 0, toMs: 2_000, timestamps: NO_TIMES }],
  ],
  [
    'a silent write is silent',
    columnOf([7], { notifyOn: NotifyOn.NOTIFY_ON_NONE }),
    [{ ...LOUD, silent: true, fromMs: 7, toMs: undefined, timestamps: NO_TIMES }],
  ],
  [
    'a range that is removed is cleared',
    columnOf([1, 9], { writeMode: WriteMode.WRITE_MODE_DELETE_RANGE, flags: Uint8Array.of(FLAG.deleteMarker) }),
    [{ ...LOUD, clears: true, fromMs: 1, toMs: 9, timestamps: NO_TIMES }],
  ],
  ['texts are no input of a rating', columnOf([7], { valueType: ValueType.VALUE_TYPE_TEXT }), []],
])('%s', (_what, column, expected) => {
  expect(touchesOf(column)).toEqual(expected);
});

test('where a message would be too large, a range in which any record may be another one stands for times', () => {
  expect(rangesOf(touchesOf(columnOf([1, 5, 8])))).toEqual([
    { ...LOUD, clears: true, fromMs: 1, toMs: 8, timestamps: NO_TIMES },
  ]);
});
