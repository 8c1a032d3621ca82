import {
  isCutBetween,
  isFreshAt,
  isMovedFrom,
  ownerAt,
  type PlacePortion,
  type PortionState,
  type SeriesPlace,
} from './shard-places.ts';

const portion = (state: PortionState, boundary = 10, change: Partial<PlacePortion> = {}): PlacePortion => ({
  portionId: 1,
  fromShard: 'a',
  toShard: 'b',
  state,
  boundary,
  isFresh: false,
  ...change,
});
const place = (shard: string, ...portions: PlacePortion[]): SeriesPlace => ({ shard, portions });
const back = portion('moved', 20, { portionId: 2, fromShard: 'b', toShard: 'a' });

test.each<[string, SeriesPlace | undefined, number, string | undefined]>([
  ['a series that nothing is known of', undefined, 5, 'default'],
  ['one that was never moved', place('a'), 5, 'a'],
  ['one that is copied', place('a', portion('copying')), 50, 'a'],
  ['up to the boundary of a cut', place('a', portion('cutting')), 10, 'a'],
  ['behind the boundary of a cut', place('a', portion('cutting')), 11, undefined],
  ['up to the boundary of a hand-over', place('b', portion('left')), 10, 'a'],
  ['behind it', place('b', portion('left')), 11, 'b'],
  ['there and back, before', place('a', portion('moved'), back), 10, 'a'],
  ['there and back, between', place('a', portion('moved'), back), 20, 'b'],
  ['there and back, after', place('a', portion('moved'), back), 21, 'a'],
  ['a move that was cancelled', place('a', portion('cancelled')), 11, 'a'],
])('%s is that of the right shard', (_what, where, sequence, owner) => {
  expect(ownerAt(where, sequence)).toBe(owner);
});

test.each<[PortionState, boolean]>([
  ['preparing', true],
  ['copying', true],
  ['cutting', true],
  ['left', false],
  ['cancelling', false],
])('what is written in state %s is copied again: %s', (state, isMoved) => {
  expect(isMovedFrom(place('a', portion(state)), 'a')).toBe(isMoved);
  expect(isMovedFrom(place('a', portion(state)), 'b')).toBe(false);
});

test('a cut holds up the writers of its two shards, and no other one', () => {
  const cut = place('a', portion('moved', 5, { fromShard: 'c', toShard: 'a' }), portion('cutting'));
  expect(['a', 'b', 'c', 'default'].filter((shard) => isCutBetween(cut, shard))).toEqual(['a', 'b']);
  expect(isCutBetween(place('a', portion('copying')), 'a')).toBe(false);
  expect(isCutBetween(undefined, 'a')).toBe(false);
});

test('the newest hand-over is the fresh one', () => {
  expect(isFreshAt(place('b', portion('left', 1, { isFresh: true })))).toBe(true);
  expect(isFreshAt(place('a', portion('moved', 1, { isFresh: true }), back))).toBe(false);
  expect(isFreshAt(undefined)).toBe(false);
});
