import type { ListShardsResponse, ShardMove } from '@catchment/contracts/shards';
import { countOf } from '@catchment/number-format';
import { formatIsoMs } from '@catchment/time';
import { tableOf } from '../command-line/answer.ts';

export function shardsTable({ shards, workspaces }: ListShardsResponse): string[] {
  const stateOf = ({ url, isUp, isActive, isDrained }: ListShardsResponse['shards'][number]) => {
    if (!url) return 'not in INFLUX_SHARDS';
    if (!isUp) return 'away';
    if (isDrained) return 'up, takes no new workspaces';
    return isActive ? 'up' : 'new, used in half a minute';
  };
  const lines = tableOf([
    ['SHARD', 'STATE', 'WORKSPACES', 'SERIES', 'PENDING', 'ADDRESS'],
    ...shards.map((shard) => [
      shard.name,
      stateOf(shard),
      String(shard.workspaces),
      // An installation with one InfluxDB counts no series.
      shards.length === 1 ? 'all' : String(shard.series),
      String(shard.pending),
      shard.url,
    ]),
  ]);
  if (workspaces.length === 0) return lines;
  const assigned = workspaces.map(({ workspaceId, shard }) => [workspaceId, shard]);
  return [...lines, '', ...tableOf([['WORKSPACE', 'NEW SERIES GO TO'], ...assigned])];
}

export function movesTable(moves: readonly ShardMove[]): string[] {
  if (moves.length === 0) return ['No workspace was moved in the last month.'];
  return tableOf([
    ['MOVE', 'WORKSPACE', 'TO', 'STATE', 'MOVED', 'LEFT', 'RECORDS', 'OLD COPIES', 'ASKED', 'HELD UP BY'],
    ...moves.map((move) => [
      String(move.moveId),
      move.workspaceId,
      move.toShard,
      move.state,
      String(move.seriesMoved),
      move.seriesLeft === undefined ? '' : String(move.seriesLeft),
      String(move.recordsCopied),
      move.seriesLeftBehind > 0 ? `of ${move.seriesLeftBehind} series` : '',
      formatIsoMs(move.askedMs),
      move.failure,
    ]),
  ]);
}

/** Returns a line about a move, for its progress and its end. */
export function moveLine({
  moveId,
  toShard,
  state,
  seriesMoved,
  seriesLeft = 0,
  recordsCopied,
  failure,
}: ShardMove): string {
  const done = `${seriesMoved} series moved, ${countOf(recordsCopied, 'record')} copied`;
  if (state === 'done') return `Move ${moveId} to ${toShard} is done: ${done}.`;
  if (state === 'cancelled') return `Move ${moveId} to ${toShard} was cancelled: ${done}.`;
  return `Move ${moveId} to ${toShard}: ${done}, ${seriesLeft} series left${failure ? `; held up by ${failure}` : ''}`;
}
