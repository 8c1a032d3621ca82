import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { bitsOf, type Column, effectOf, FLAG, needsVerdict } from '@catchment/ingest-log';
import { columnEdits as editsOf } from './column-edits.ts';
import { editedRecords, historyOf } from './history.ts';

const { value, valueNull, quality, deleteMarker } = FLAG;

const column = (writeMode: WriteMode, records: [number, number, number][]): Column => ({
  nodeId: 'n',
  ownerId: 'o',
  workspaceId: 'w',
  sourceId: 's',
  valueType: ValueType.VALUE_TYPE_NUMBER,
  writeMode,
  notifyOn: NotifyOn.NOTIFY_ON_LATEST_ONLY,
  modifiedMs: 0,
  username: '',
  timestamps: Float64Array.from(records.map(([timeMs]) => timeMs)),
  flags: Uint8Array.from(records.map(([, flags]) => flags)),
  numbers: Float64Array.from(records.map(([, , number]) => number)),
  texts: [],
  qualities: new Uint16Array(0),
  annotations: new Map(),
  traceparent: '',
});

const before = historyOf(
  [
    { timeMs: 1, value: 1 },
    { timeMs: 3, value: 3 },
    { timeMs: 5, value: 5 },
  ],
  Number.NEGATIVE_INFINITY,
);

const columnEdits = (written: Column, verdict: Uint8Array) => editsOf(effectOf(written, verdict));
const NONE = new Uint8Array(0);
const after = (written: Column, verdict: Uint8Array) =>
  editedRecords(before, columnEdits(written, verdict))
    .map((record) => `${record.timeMs}=${record.value}`)
    .join(' ');

// docs/reference/writing.md#write-modes: records at 1, 3, 5 hold their time as value; the write brings 3 and 4 and something at 5.
test.each([
  ['overwrite replaces whole records', 'MERGE_OVERWRITE_EXISTING', quality, '1=1 3=30 4=40'],
  ['overwrite with a delete marker', 'MERGE_OVERWRITE_EXISTING', deleteMarker, '1=1 3=30 4=40'],
  ['insert deletes others in range', 'INSERT_DELETE_EXISTING', quality, '1=1 3=30 4=40'],
  ['delete range', 'DELETE_RANGE', value, '1=1'],
  ['delete', 'DELETE', value, '1=1'],
  ['discard', 'DISCARD', value, '1=1 3=3 5=5'],
] as const)('%s, without a verdict', (_what, mode, lastFlags, expected) => {
  const written = column(WriteMode[`WRITE_MODE_${mode}`], [
    [3, value, 30],
    [4, value, 40],
    [5, lastFlags, 50],
  ]);
  expect([needsVerdict(written), after(written, NONE)]).toEqual([false, expected]);
});

test.each([
  ['nothing was written', [], value, '1=1 3=3 5=5'],
  ['one record was written', [1], value, '1=1 3=3 4=40 5=5'],
  ['all were written', [0, 1, 2], value, '1=1 3=30 4=40 5=50'],
  ['a value that was not sent stays', [2], quality, '1=1 3=3 5=5'],
  ['a value was cleared', [2], valueNull, '1=1 3=3'],
  ['a record was deleted', [2], deleteMarker, '1=1 3=3'],
])('the verdict says what became of a column: %s', (_what, indexes, lastFlags, expected) => {
  const { WRITE_MODE_MERGE_UPDATE_EXISTING: mode } = WriteMode;
  const written = column(mode, [
    [3, value, 30],
    [4, value, 40],
    [5, lastFlags, 50],
  ]);
  expect([needsVerdict(written), after(written, bitsOf(indexes, 3))]).toEqual([true, expected]);
});

test('a column without records changes nothing; a value that is none counts as absent', () => {
  const mode = WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING;
  expect(editedRecords(before, columnEdits(column(mode, []), NONE))).toBe(before.records);
  expect(editedRecords(before, columnEdits(column(mode, [[5, value, Number.NaN]]), NONE))).toHaveLength(2);
});
