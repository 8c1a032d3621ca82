import { ShardMove } from '@catchment/contracts/shards';
import { moveLine, movesTable, shardsTable } from './shard-lines.ts';

const counts = { workspaces: 2, series: 30, pending: 0 };
const shard = { name: 'b', url: 'http://b:8086', isUp: true, isActive: true, isDrained: false, ...counts };

test.each([
  ['one that answers', {}, 'up'],
  ['one that does not', { isUp: false }, 'away'],
  ['one that is drained', { isDrained: true }, 'up, takes no new workspaces'],
  ['a new one', { isActive: false }, 'new, used in half a minute'],
  ['one that the replica does not have', { url: '', isUp: false }, 'not in INFLUX_SHARDS'],
])('%s is shown as %s', (_what, change, state) => {
  const [, line] = shardsTable({ shards: [{ ...shard, ...change }], workspaces: [] });
  expect(line).toContain(state);
});

test('workspaces are listed below', () => {
  expect(shardsTable({ shards: [shard, shard], workspaces: [{ workspaceId: 'w', shard: 'b' }] })).toEqual([
    'SHARD  STATE  WORKSPACES  SERIES  PENDING  ADDRESS',
    'b      up     2           30      0        http://b:8086',
    'b      up     2           30      0        http://b:8086',
    '',
    'WORKSPACE  NEW SERIES GO TO',
    'w          b',
  ]);
});

test.each([
  [{ state: 'moving', seriesLeft: 3 }, 'Move 1 to b: 2 series moved, 9 records copied, 3 series left'],
  [
    { state: 'moving', seriesLeft: 3, failure: 'INFLUX_UNAVAILABLE: away' },
    'Move 1 to b: 2 series moved, 9 records copied, 3 series left; held up by INFLUX_UNAVAILABLE: away',
  ],
  [{ state: 'done' }, 'Move 1 to b is done: 2 series moved, 9 records copied.'],
  [{ state: 'cancelled' }, 'Move 1 to b was cancelled: 2 series moved, 9 records copied.'],
])('a move is reported as %j', (change, line) => {
  const move = ShardMove.fromPartial({ moveId: 1, toShard: 'b', seriesMoved: 2, recordsCopied: 9, ...change });
  expect(moveLine(move)).toBe(line);
  expect(movesTable([move])[1]).toContain(change.state);
});

test('without moves there is a sentence', () => {
  expect(movesTable([])).toEqual(['No workspace was moved in the last month.']);
});
