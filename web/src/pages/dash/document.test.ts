import type { BoardTile } from '../../data/pages/tiles.ts';
import { changesBetween } from '../../ui/form/draft.ts';
import { bodyOf, documentOf, refusedTile, showsSame, tileKey, tilesOf } from './document.ts';

const tile = (id: string, more: Partial<BoardTile> = {}): BoardTile => ({
  _id: id,
  type: 'VALUE',
  label: '',
  x: 0,
  y: 0,
  w: 3,
  h: 2,
  style: 'default',
  showAlarms: false,
  links: [],
  config: {},
  ...more,
});
const board = documentOf({ name: 'River', tiles: [tile('a'), tile('b', { y: 2 })] });

test('a dashboard of two tiles has a key for each of them', () => {
  expect(Object.keys(board)).toEqual(['name', 'description', tileKey('a'), tileKey('b')]);
  expect(tilesOf(board).map(({ _id }) => _id)).toEqual(['a', 'b']);
});

test('tiles are listed row by row, whatever their order was', () => {
  const moved = documentOf({ name: 'River', tiles: [tile('a', { y: 4 }), tile('b', { x: 6 }), tile('c')] });
  expect(tilesOf(moved).map(({ _id }) => _id)).toEqual(['c', 'b', 'a']);
});

test('a tile that is removed is a change, and the body has what is left', () => {
  const next = { ...board, [tileKey('a')]: null };
  const changes = changesBetween(board, next);
  expect(changes).toEqual({ [tileKey('a')]: null });
  expect(bodyOf(changes, next)).toEqual({ tiles: [tile('b', { y: 2 })] });
});

test('another name alone leaves the tiles out of the body', () => {
  const next = { ...board, name: 'Brook' };
  expect(bodyOf(changesBetween(board, next), next)).toEqual({ name: 'Brook' });
});

test('a document that is as it was before is no change', () => {
  expect(changesBetween(board, documentOf({ name: 'River', tiles: [tile('b', { y: 2 }), tile('a')] }))).toEqual({});
});

test.each([
  ['tiles[1].links', { id: 'b', path: 'links' }],
  ['tiles[0].config.maximum', { id: 'a', path: 'config.maximum' }],
  ['tiles', undefined],
  ['tiles[9].x', undefined],
])('a refusal of %s is found', (path, expected) => {
  expect(refusedTile(path, tilesOf(board))).toEqual(expected);
});

test('a tile that is moved shows the same; one with another label does not', () => {
  expect(showsSame(tile('a'), tile('a', { x: 5, h: 9 }))).toBe(true);
  expect(showsSame(tile('a'), tile('a', { label: 'Level' }))).toBe(false);
});
