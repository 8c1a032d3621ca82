import type { StoredColumn } from '../domain/plan-write.ts';
import { lanesOf, MAX_LANES } from './write-lanes.ts';

const column = (nodeId: string, lines: number, mark = 0) =>
  ({ nodeId, modifiedMs: mark, timestamps: new Float64Array(lines) }) as StoredColumn;
const shown = (columns: readonly StoredColumn[]) =>
  lanesOf(columns).map((lane) => lane.map(({ nodeId, timestamps }) => `${nodeId} ${timestamps.length}`));

test.each<[string, StoredColumn[], string[][]]>([
  ['nothing', [], [[]]],
  ['little is written at once', [column('a', 5_000), column('b', 4_999)], [['a 5000', 'b 4999']]],
  ['much is divided', [column('a', 5_000), column('b', 5_000)], [['a 5000'], ['b 5000']]],
  ['one series alone stays whole', [column('a', 40_000)], [['a 40000']]],
  [
    'large series first, so that lanes end up alike',
    [column('a', 1_000), column('b', 9_000), column('c', 4_000), column('d', 4_000)],
    [['b 9000'], ['c 4000', 'a 1000'], ['d 4000']],
  ],
])('%s', (_what, columns, lanes) => {
  expect(shown(columns)).toEqual(lanes);
});

test('columns of one series share a lane and keep their order', () => {
  const columns = Array.from({ length: 60 }, (_, n) => column(`s${n % 7}`, 500 + n, n));
  const lanes = lanesOf(columns);
  expect(lanes).toHaveLength(MAX_LANES);
  expect(lanes.flat()).toHaveLength(columns.length);
  for (const nodeId of new Set(columns.map((column) => column.nodeId))) {
    const holding = lanes.filter((lane) => lane.some((column) => column.nodeId === nodeId));
    expect(holding).toHaveLength(1);
    const marks = holding[0]?.filter((column) => column.nodeId === nodeId).map((column) => column.modifiedMs) ?? [];
    expect(marks).toEqual([...marks].sort((a, b) => a - b));
  }
});
