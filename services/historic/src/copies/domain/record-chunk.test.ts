import { RecordChunk } from '@catchment/contracts/copies';
import { ValueType } from '@catchment/contracts/nodes';
import { emptyRecord, type StoredRecord } from '../../records/domain/record-set.ts';
import { ChunkBuilder, columnsOf } from './record-chunk.ts';

const series = (valueType: ValueType) => ({ nodeId: 'a'.repeat(24), ownerId: 'b'.repeat(24), valueType });
const T0 = Date.UTC(2024, 0, 1);

type Written = Partial<StoredRecord> & { readonly timeMs: number; readonly writtenMs: number };
function copied(valueType: ValueType, records: readonly Written[]) {
  const builder = new ChunkBuilder(series(valueType));
  for (const { writtenMs, ...record } of records) builder.add({ ...emptyRecord(), ...record }, writtenMs);
  return columnsOf(RecordChunk.decode(RecordChunk.encode(builder.build()).finish()));
}

test('records that were written together are one column again', () => {
  const columns = copied(ValueType.VALUE_TYPE_NUMBER, [
    { timeMs: T0, writtenMs: 5, number: 1 },
    { timeMs: T0 + 1, writtenMs: 5, number: 2 },
    { timeMs: T0 + 7, writtenMs: 9, number: 3 },
  ]);
  expect(
    columns.map(({ modifiedMs, timestamps, numbers, flags }) => [modifiedMs, ...timestamps, ...numbers, ...flags]),
  ).toEqual([
    [5, T0, T0 + 1, 1, 2, 1],
    [9, T0 + 7, 3, 1],
  ]);
});

test.each([
  ['a quality without a value', ValueType.VALUE_TYPE_NUMBER, { quality: 7 }, { flags: [2], qualities: [7] }],
  [
    'an annotation',
    ValueType.VALUE_TYPE_NUMBER,
    { number: 1, annotation: 'x' },
    { flags: [5], annotations: [[0, 'x']] },
  ],
  ['a text', ValueType.VALUE_TYPE_TEXT, { text: 'wet' }, { flags: [1], texts: ['wet'] }],
  ['a place', ValueType.VALUE_TYPE_COORDINATES, { number: 1, longitude: 2 }, { flags: [1], numbers: [1, 2] }],
  ['a time', ValueType.VALUE_TYPE_TIME, { number: T0 }, { flags: [1], numbers: [T0] }],
])('%s is kept', (_what, valueType, record, expected) => {
  const [column] = copied(valueType, [{ timeMs: T0, writtenMs: 1, ...record }]);
  const found = {
    flags: [...(column?.flags ?? [])],
    numbers: [...(column?.numbers ?? [])],
    texts: column?.texts,
    qualities: [...(column?.qualities ?? [])],
    annotations: [...(column?.annotations ?? [])],
  };
  expect(found).toMatchObject(expected);
});
