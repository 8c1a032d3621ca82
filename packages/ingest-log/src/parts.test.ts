import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { decodeBatch, encodeEntries } from './codec.ts';
import { type Column, FLAG } from './column.ts';
import { type ColumnParts, joinPart } from './parts.ts';

const COUNT = 3_000;
const COLUMN: Column = {
  nodeId: 'a'.repeat(24),
  ownerId: 'b'.repeat(24),
  workspaceId: 'c'.repeat(24),
  sourceId: 'd'.repeat(24),
  valueType: ValueType.VALUE_TYPE_NUMBER,
  writeMode: WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING,
  notifyOn: NotifyOn.NOTIFY_ON_ALL_NEWER,
  modifiedMs: 1_000,
  username: 'jo',
  traceparent: '',
  texts: [],
  timestamps: Float64Array.from({ length: COUNT }, (_, n) => n),
  flags: new Uint8Array(COUNT).fill(FLAG.value | FLAG.quality),
  numbers: Float64Array.from({ length: COUNT }, (_, n) => n / 2),
  qualities: Uint16Array.from({ length: COUNT }, (_, n) => n),
  annotations: new Map(),
};
const PARTS = encodeEntries([{ kind: 'column', column: COLUMN }], 16_384, () => 'key')
  .flatMap((data) => decodeBatch(data))
  .flatMap((entry) => (entry.kind === 'columnPart' ? [entry.part] : []));

function inMemory(): ColumnParts {
  const kept = new Map<string, Uint8Array[]>();
  return {
    stagePart: async ({ columnKey, part, data }) => {
      const known = kept.get(columnKey) ?? [];
      known[part] ??= data;
      kept.set(columnKey, known);
    },
    partsOf: async (columnKey) => kept.get(columnKey) ?? [],
  };
}

test('a column is whole with its last part, as often as parts come', async () => {
  expect(PARTS.length).toBeGreaterThan(2);
  const parts = inMemory();
  for (const part of [...PARTS.slice(0, -1), ...PARTS.slice(0, -1)])
    expect(await joinPart(part, parts)).toBeUndefined();
  for (const part of PARTS.slice(-1)) {
    expect(await joinPart(part, parts)).toEqual(COLUMN);
    expect(await joinPart(part, parts)).toEqual(COLUMN);
  }
});

test('a last part without those before it is refused', async () => {
  const parts = inMemory();
  for (const part of PARTS.slice(1, -1)) await joinPart(part, parts);
  for (const part of PARTS.slice(-1))
    await expect(joinPart(part, parts)).rejects.toMatchObject({ reason: 'COLUMN_PARTS_MISSING' });
});
