import type { Child } from '../../data/tree/children.ts';
import type { Level } from '../../data/tree/levels.ts';
import { type Row, rowsOf, treeMove } from './rows.ts';

const node = (_id: string, name: string, childCount = 0): Child => ({
  _id,
  name,
  childCount,
  _class: 'io.svc.models.node.Group',
  alarm: null,
  alarmsBelow: { active: 0, acknowledged: 0 },
});
const level = (children: readonly Child[], more: Partial<Level> = {}): Level => ({
  children,
  isLoading: false,
  ...more,
});
const LEVELS = new Map<string, Level>([
  ['', level([node('a', 'Alpha', 2), node('b', 'Beta', 300), node('g', 'Gamma')])],
  ['a', level([node('a1', 'One', 1), node('a2', 'Two')])],
  ['b', level([node('b1', 'First')], { next: 'x' })],
  ['a1', level([], { isLoading: true })],
]);
const texts = (rows: readonly Row[]) =>
  rows.map((row) => `${'·'.repeat(row.depth - 1)}${row.kind === 'node' ? row.path : row.kind}`);

test.each<[string, readonly string[], readonly string[]]>([
  ['closed', [], ['Alpha', 'Beta', 'Gamma']],
  ['a level that is open', ['a'], ['Alpha', '·Alpha/One', '·Alpha/Two', 'Beta', 'Gamma']],
  ['a level in a closed one is not seen', ['a1'], ['Alpha', 'Beta', 'Gamma']],
  ['one that is on its way', ['a', 'a1'], ['Alpha', '·Alpha/One', '··loading', '·Alpha/Two', 'Beta', 'Gamma']],
  ['one with more than was read', ['b'], ['Alpha', 'Beta', '·Beta/First', '·more', 'Gamma']],
  ['one that was never asked for', ['a', 'zz'], ['Alpha', '·Alpha/One', '·Alpha/Two', 'Beta', 'Gamma']],
  ['a node without children has nothing to open', ['g'], ['Alpha', 'Beta', 'Gamma']],
])('rows: %s', (_what, open, expected) => {
  expect(texts(rowsOf(LEVELS, new Set(open)))).toEqual(expected);
});

const ROWS = rowsOf(LEVELS, new Set(['a']));
const key = (name: string, more: object = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

test.each<[string, number, string, object | undefined]>([
  ['down', 0, 'ArrowDown', { kind: 'go', index: 1 }],
  ['down at the end stays', 4, 'ArrowDown', { kind: 'go', index: 4 }],
  ['up at the beginning stays', 0, 'ArrowUp', { kind: 'go', index: 0 }],
  ['a page', 0, 'PageDown', { kind: 'go', index: 3 }],
  ['the end', 1, 'End', { kind: 'go', index: 4 }],
  ['right opens', 3, 'ArrowRight', { kind: 'open', index: 3 }],
  ['right in an open one goes to the first child', 0, 'ArrowRight', { kind: 'go', index: 1 }],
  ['right where nothing is below does nothing', 4, 'ArrowRight', undefined],
  ['left closes', 0, 'ArrowLeft', { kind: 'close', index: 0 }],
  ['left in a closed one goes to the parent', 2, 'ArrowLeft', { kind: 'go', index: 0 }],
  ['left at the top does nothing', 4, 'ArrowLeft', undefined],
  ['a letter goes to the next name', 0, 'b', { kind: 'go', index: 3 }],
  ['and around', 3, 'T', { kind: 'go', index: 2 }],
  ['a letter that no name begins with', 0, 'x', undefined],
  ['F2 renames', 2, 'F2', { kind: 'rename', index: 2 }],
  ['Enter opens the page', 2, 'Enter', { kind: 'enter', index: 2 }],
])('keys: %s', (_what, at, name, expected) => {
  expect(treeMove(key(name), ROWS, at, 3)).toEqual(expected);
});

test('with Shift a way to another row chooses all on it, with Control the space bar one more', () => {
  expect(treeMove(key('ArrowDown', { shiftKey: true }), ROWS, 0, 3)).toEqual({ kind: 'extend', index: 1 });
  expect(treeMove(key('End', { shiftKey: true }), ROWS, 0, 3)).toEqual({ kind: 'extend', index: 4 });
  expect(treeMove(key(' ', { ctrlKey: true }), ROWS, 2, 3)).toEqual({ kind: 'toggle', index: 2 });
  expect(treeMove(key('ArrowUp', { ctrlKey: true }), ROWS, 2, 3)).toEqual({ kind: 'walk', index: 1 });
  expect(treeMove(key('B', { shiftKey: true }), ROWS, 0, 3)).toEqual({ kind: 'go', index: 3 });
});

test('keys with a modifier are the browser’s', () => {
  expect(treeMove(key('ArrowDown', { metaKey: true }), ROWS, 0, 3)).toBeUndefined();
});
