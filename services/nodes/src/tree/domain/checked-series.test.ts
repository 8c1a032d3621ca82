import type { StoredNode } from '../../domain/classes/node.ts';
import { activityOf } from './checked-series.ts';

const node = (seriesKey: string | null, isActive = true) => ({ nodeId: seriesKey, seriesKey, isActive }) as StoredNode;
const parser = (...columns: [series: string | undefined, type: string][]) => ({
  parser: {
    columns: [
      { index: 0, type: 'RECORD_TIME' },
      ...columns.map(([series, type], n) => ({ index: n + 1, type, ...(series && { series }) })),
    ],
  },
});
const names = (nodes: readonly StoredNode[]) => nodes.map(({ seriesKey }) => seriesKey);

test.each([
  [
    'a column that is disabled',
    parser(['a', 'NUMBER'], ['b', 'NUMBER']),
    parser(['a', 'DISABLED'], ['b', 'NUMBER']),
    [],
    ['a'],
  ],
  ['a column that is gone', parser(['a', 'NUMBER'], ['b', 'NUMBER']), parser(['b', 'NUMBER']), [], ['a']],
  ['a column that comes back', parser(['b', 'NUMBER']), parser(['c', 'TEXT']), ['c'], ['b']],
  ['columns without keys', parser([undefined, 'NUMBER']), parser([undefined, 'DISABLED']), [], []],
  ['no columns any more: the file says', parser(['a', 'NUMBER']), { parser: {} }, [], []],
  ['nothing that was named', {}, parser(['a', 'NUMBER']), [], []],
] as const)('%s', (_what, before, after, active, inactive) => {
  const parameters = [node('a'), node('b'), node('c', false), node(null)];
  const found = activityOf(before as never, after as never, parameters);
  expect([names(found.active), names(found.inactive)]).toEqual([active, inactive]);
});

test('an entry of files that still reads a series keeps it', () => {
  const before = parser(['a', 'NUMBER']);
  const after = { ...parser(['a', 'DISABLED']), files: [{ match: 'x', ...parser(['a', 'NUMBER']) }] };
  expect(activityOf(before as never, after as never, [node('a')]).inactive).toEqual([]);
});
