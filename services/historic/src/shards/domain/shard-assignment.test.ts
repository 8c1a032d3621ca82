import {
  type AssignmentPortion,
  isFreshAt,
  isHandedOverBetween,
  isMovedFrom,
  ownerAt,
  type PortionState,
  type ShardAssignment,
} from './shard-assignment.ts';

const portion = (state: PortionState, boundary = 10, change: Partial<AssignmentPortion> = {}): AssignmentPortion => ({
  portionId: 1,
  fromShard: 'a',
  toShard: 'b',
  state,
  boundary,
  isFresh: false,
  ...change,
});
const assignment = (shard: string, ...portions: AssignmentPortion[]): ShardAssignment => ({ shard, portions });
const back = portion('moved', 20, { portionId: 2, fromShard: 'b', toShard: 'a' });

test.each<[string, ShardAssignment | undefined, number, string | undefined]>([
  ['a series that nothing is known of', undefined, 5, 'default'],
  ['one that was never moved', assignment('a'), 5, 'a'],
  ['one that is copied', assignment('a', portion('copying')), 50, 'a'],
  ['up to the boundary of a switchover', assignment('a', portion('cutting')), 10, 'a'],
  ['behind the boundary of a switchover', assignment('a', portion('cutting')), 11, undefined],
  ['up to the boundary of a hand-over', assignment('b', portion('left')), 10, 'a'],
  ['behind it', assignment('b', portion('left')), 11, 'b'],
  ['there and back, before', assignment('a', portion('moved'), back), 10, 'a'],
  ['there and back, between', assignment('a', portion('moved'), back), 20, 'b'],
  ['there and back, after', assignment('a', portion('moved'), back), 21, 'a'],
  ['a move that was cancelled', assignment('a', portion('cancelled')), 11, 'a'],
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
  expect(isMovedFrom(assignment('a', portion(state)), 'a')).toBe(isMoved);
  expect(isMovedFrom(assignment('a', portion(state)), 'b')).toBe(false);
});

test('a switchover holds up the writers of its two shards, and no other one', () => {
  const switchover = assignment('a', portion('moved', 5, { fromShard: 'c', toShard: 'a' }), portion('cutting'));
  expect(['a', 'b', 'c', 'default'].filter((shard) => isHandedOverBetween(switchover, shard))).toEqual(['a', 'b']);
  expect(isHandedOverBetween(assignment('a', portion('copying')), 'a')).toBe(false);
  expect(isHandedOverBetween(undefined, 'a')).toBe(false);
});

test('the newest hand-over is the fresh one', () => {
  expect(isFreshAt(assignment('b', portion('left', 1, { isFresh: true })))).toBe(true);
  expect(isFreshAt(assignment('a', portion('moved', 1, { isFresh: true }), back))).toBe(false);
  expect(isFreshAt(undefined)).toBe(false);
});
