import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG, fillingGaps, type LogEntry } from './index.ts';

const column = (writeMode: WriteMode): Column => ({
  nodeId: 'a'.repeat(24),
  ownerId: 'b'.repeat(24),
  workspaceId: 'c'.repeat(24),
  sourceId: 'd'.repeat(24),
  valueType: ValueType.VALUE_TYPE_NUMBER,
  writeMode,
  notifyOn: NotifyOn.NOTIFY_ON_LATEST_ONLY,
  modifiedMs: 0,
  username: 'jo@example.org',
  timestamps: Float64Array.of(0),
  flags: Uint8Array.of(FLAG.value),
  numbers: Float64Array.of(1.5),
  texts: [],
  qualities: new Uint16Array(0),
  annotations: new Map(),
  traceparent: '',
});
const written = (writeMode: WriteMode): LogEntry => ({ kind: 'column', column: column(writeMode) });

test.each([
  ['MERGE_OVERWRITE_EXISTING', 'MERGE_PRESERVE_EXISTING'],
  ['MERGE_PRESERVE_EXISTING', 'MERGE_PRESERVE_EXISTING'],
  ['MERGE_FAIL_ON_EXISTING', 'MERGE_FAIL_ON_EXISTING'],
  ['INSERT_FAIL_ON_EXISTING', 'INSERT_FAIL_ON_EXISTING'],
  ['DISCARD', 'DISCARD'],
  ['MERGE_UPDATE_EXISTING', undefined],
  ['INSERT_DELETE_EXISTING', undefined],
  ['DELETE', undefined],
  ['DELETE_RANGE', undefined],
] as const)('%s applied late, without replacing anything: %s', (mode, gentle) => {
  const expected = gentle && [written(WriteMode[`WRITE_MODE_${gentle}`])];
  expect(fillingGaps([written(WriteMode[`WRITE_MODE_${mode}`])])).toEqual(expected);
});

test('the deletion of a series, and a part of a column, cannot be applied late without harm; that of nodes can', () => {
  const place = { ownerId: 'b', workspaceId: 'c', sourceId: 'd', timeMs: 0, username: '' };
  const seriesDelete = { nodeId: 'a', valueType: ValueType.VALUE_TYPE_NUMBER, recomputing: false, ...place };
  const nodesDelete: LogEntry = { kind: 'nodesDelete', nodesDelete: { ownerId: 'b', nodeIds: ['a'], timeMs: 0 } };
  const part = { column: column(WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING), columnKey: 'k', part: 0, parts: 2 };
  expect(fillingGaps([nodesDelete])).toEqual([nodesDelete]);
  expect(fillingGaps([nodesDelete, { kind: 'seriesDelete', seriesDelete }])).toBeUndefined();
  expect(fillingGaps([{ kind: 'columnPart', part }])).toBeUndefined();
});

test('of several writes to a series the last one holds; with other modes between them that cannot be said', () => {
  const [overwrite, keep] = [
    WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
    WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING,
  ];
  const of = (modifiedMs: number): LogEntry => ({ kind: 'column', column: { ...column(overwrite), modifiedMs } });
  const times = fillingGaps([of(1), of(2)])?.map((gap) => gap.kind === 'column' && gap.column.modifiedMs);
  expect(times).toEqual([2, 1]);
  expect(fillingGaps([of(1), written(keep)])).toBeUndefined();
});
