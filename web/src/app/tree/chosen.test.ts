import { MOST_CHOSEN, NONE, rangeTo, toggled, topmost } from './chosen.ts';
import type { Row } from './rows.ts';

const row = (path: string): Row =>
  ({ kind: 'node', key: path, path, parentId: '', depth: 1, isOpen: false, position: 1, size: 1 }) as unknown as Row;
const MORE = { kind: 'more', key: 'more', parentId: '', depth: 1, shown: 2 } as const;
const ROWS = [row('A'), row('A/b'), row('A/c'), row('B'), MORE, row('C')];
const keysOf = ({ keys }: { keys: ReadonlySet<string> }) => [...keys];

test('a range goes from where it began, in both directions, and leaves out what is no node', () => {
  const begun = toggled(NONE, 'B');
  expect(keysOf(rangeTo(begun, ROWS, 'A', 5))).toEqual(['B', 'C']);
  expect(keysOf(rangeTo(begun, ROWS, 'A', 1))).toEqual(['A/b', 'A/c', 'B']);
  expect(keysOf(rangeTo(NONE, ROWS, 'A/c', 3))).toEqual(['A/c', 'B']);
});

test('a node is chosen and let go of one by one', () => {
  const both = toggled(toggled(NONE, 'A'), 'B');
  expect(keysOf(both)).toEqual(['A', 'B']);
  expect(keysOf(toggled(both, 'A'))).toEqual(['B']);
});

test('what lies below a chosen node goes with it', () => {
  const chosen = { keys: new Set(['A', 'A/c', 'C']), from: 'A' };
  expect(topmost(ROWS, chosen).map(({ key }) => key)).toEqual(['A', 'C']);
});

test('there is a most', () => {
  const many = Array.from({ length: MOST_CHOSEN + 50 }, (_, n) => row(`n${n}`));
  expect(rangeTo(NONE, many, 'n0', many.length - 1).keys.size).toBe(MOST_CHOSEN);
});
