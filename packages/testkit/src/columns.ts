import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG } from '@catchment/ingest-log';

export const NODE_ID = '0123456789abcdef01234567';

/** A column of numbers 1, 2, 3 … at the times given. */
export const column = (times: readonly number[], change: Partial<Column> = {}): Column => ({
  nodeId: NODE_ID,
  ownerId: 'a'.repeat(24),
  workspaceId: 'b'.repeat(24),
  sourceId: 'c'.repeat(24),
  valueType: ValueType.VALUE_TYPE_NUMBER,
  writeMode: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
  notifyOn: NotifyOn.NOTIFY_ON_LATEST_ONLY,
  modifiedMs: 1_000,
  username: 'jo@example.org',
  timestamps: Float64Array.from(times),
  flags: Uint8Array.of(FLAG.value),
  numbers: Float64Array.from(times, (_, n) => n + 1),
  texts: [],
  qualities: new Uint16Array(0),
  annotations: new Map(),
  traceparent: '',
  ...change,
});
