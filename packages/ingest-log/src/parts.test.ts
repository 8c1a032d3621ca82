import { columnOf } from '@catchment/testkit/write-model';
import { decodeBatch, encodeEntries } from './codec.ts';
import { type ColumnParts, joinPart } from './parts.ts';

const COLUMN = columnOf('MERGE_UPDATE_EXISTING', new Map(Array.from({ length: 3_000 }, (_, n) => [n, { v: n, q: n }])));
const PARTS = encodeEntries([{ kind: 'column', column: COLUMN }], 16_384, () => 'key')
  .flatMap((data) => decodeBatch(data))
  .flatMap((entry) => (entry.kind === 'columnPart' ? [entry.part] : []));

function inMemory(): ColumnParts {
  const kept = new Map<string, Uint8Array[]>();
  return {
    stagePart: async ({ columnKey, part, data }) => {
      const own = kept.get(columnKey) ?? [];
      own[part] ??= data;
      kept.set(columnKey, own);
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
