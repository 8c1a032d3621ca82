import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG } from '@catchment/ingest-log';
import { columnEdits } from './column-edits.ts';
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

// docs/reference/writing.md#write-modes: records at 1, 3, 5 hold their time as value; the write brings 3 and 4 and something at 5.
test.each([
  ['overwrite replaces whole records', 'MERGE_OVERWRITE_EXISTING', quality, '1=1 3=30 4=40'],
  ['overwrite with a delete marker', 'MERGE_OVERWRITE_EXISTING', deleteMarker, '1=1 3=30 4=40'],
  ['preserve keeps what exists', 'MERGE_PRESERVE_EXISTING', value, '1=1 3=3 4=40 5=5'],
  ['preserve ignores delete markers', 'MERGE_PRESERVE_EXISTING', deleteMarker, '1=1 3=3 4=40 5=5'],
  ['update changes only what is sent', 'MERGE_UPDATE_EXISTING', quality, '1=1 3=30 4=40 5=5'],
  ['update may clear the value', 'MERGE_UPDATE_EXISTING', valueNull, '1=1 3=30 4=40'],
  ['update deletes by marker', 'MERGE_UPDATE_EXISTING', deleteMarker, '1=1 3=30 4=40'],
  ['fail on existing writes nothing', 'MERGE_FAIL_ON_EXISTING', value, '1=1 3=3 5=5'],
  ['insert deletes others in range', 'INSERT_DELETE_EXISTING', quality, '1=1 3=30 4=40'],
  ['insert fails on any in range', 'INSERT_FAIL_ON_EXISTING', value, '1=1 3=3 5=5'],
  ['delete range', 'DELETE_RANGE', value, '1=1'],
  ['delete', 'DELETE', value, '1=1'],
  ['discard', 'DISCARD', value, '1=1 3=3 5=5'],
] as const)('%s', (_what, mode, lastFlags, expected) => {
  const written = column(WriteMode[`WRITE_MODE_${mode}`], [
    [3, value, 30],
    [4, value, 40],
    [5, lastFlags, 50],
  ]);
  const records = editedRecords(before, columnEdits(written, before));
  expect(records.map((record) => `${record.timeMs}=${record.value}`).join(' ')).toBe(expected);
});

test('a column without records changes nothing; a value that is none counts as absent', () => {
  const mode = WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING;
  expect(editedRecords(before, columnEdits(column(mode, []), before))).toBe(before.records);
  expect(editedRecords(before, columnEdits(column(mode, [[5, value, Number.NaN]]), before))).toHaveLength(2);
});
