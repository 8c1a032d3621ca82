import { type Caller, serviceCaller } from '@catchment/access';
import type { ListMovesResponse, ListShardsResponse, ShardMove } from '@catchment/contracts/shards';
import { DomainError, invalid, notFound } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import { DEFAULT_SHARD } from '../../records/index.ts';
import type { Move, ShardMoves, ShardTable } from './ports.ts';

type ShardsDeps = {
  readonly table: ShardTable;
  readonly moves: ShardMoves;
  /** Addresses without logins, of this replica's settings. */
  readonly urls: ReadonlyMap<string, string>;
  /** @throws while it does not answer */
  readonly check: (shard: string, signal: AbortSignal) => Promise<void>;
  /** Messages of the log that the writer of a shard has not finished. */
  readonly pending: (shard: string) => Promise<number>;
  /** Forgets the positions of its writers in the log. */
  readonly forgetReaders: (shard: string) => Promise<void>;
  readonly wake: () => void;
};

const MAX_WORKSPACES = 1_000;
const CHECK_LIMIT_MS = 2_000;

/** An operator of an installation does this with its shards; none of it belongs to an account. */
export const shardsUsecases = (deps: ShardsDeps) => ({
  async list(caller: Caller): Promise<ListShardsResponse> {
    serviceCaller(caller);
    const [rows, workspaces] = await Promise.all([deps.table.list(), deps.table.workspaces(MAX_WORKSPACES)]);
    const shards = await Promise.all(
      rows.map(async ({ name, isActive, isDrained, workspaces, series }) => {
        const url = deps.urls.get(name) ?? '';
        const check = url ? deps.check(name, AbortSignal.timeout(CHECK_LIMIT_MS)) : Promise.reject(new Error());
        const isUp = await check.then(
          () => true,
          () => false,
        );
        return { name, url, isUp, isActive, isDrained, workspaces, series, pending: await deps.pending(name) };
      }),
    );
    return { shards, workspaces: [...workspaces] };
  },

  async assign(caller: Caller, workspaceId: string, shard: string): Promise<void> {
    serviceCaller(caller);
    checkWorkspaceId(workspaceId);
    if (!(await deps.table.isActive(shard))) throw notActive(shard);
    await deps.table.assign(workspaceId, shard);
  },

  async drain(caller: Caller, shard: string, ends: boolean): Promise<void> {
    serviceCaller(caller);
    if (shard === DEFAULT_SHARD) throw invalid('INVALID_ARGUMENT', 'shard: default takes new workspaces in any case');
    if (!(await deps.table.drain(shard, !ends))) throw notFound({ reference: `shard ${shard}` });
  },

  async move(caller: Caller, workspaceId: string, shard: string): Promise<ShardMove> {
    serviceCaller(caller);
    checkWorkspaceId(workspaceId);
    const move = await deps.moves.ask(workspaceId, shard);
    deps.wake();
    return toMessage(move, await deps.moves.left(move));
  },

  async moves(caller: Caller): Promise<ListMovesResponse> {
    serviceCaller(caller);
    const moves: ShardMove[] = [];
    for (const move of await deps.moves.list())
      moves.push(toMessage(move, move.state === 'moving' ? await deps.moves.left(move) : undefined));
    return { moves };
  },

  async cancel(caller: Caller, moveId: number): Promise<ShardMove> {
    serviceCaller(caller);
    const move = await deps.moves.cancel(moveId);
    deps.wake();
    return toMessage(move, undefined);
  },

  async remove(caller: Caller, shard: string): Promise<void> {
    serviceCaller(caller);
    if (shard === DEFAULT_SHARD) throw invalid('INVALID_ARGUMENT', 'shard: default cannot be removed');
    if (deps.urls.has(shard))
      throw new DomainError(
        'failed_precondition',
        'SHARD_IN_USE',
        `shard: ${shard} is in INFLUX_SHARDS; take it out first`,
      );
    if (!(await deps.table.list()).some(({ name }) => name === shard)) throw notFound({ reference: `shard ${shard}` });
    await deps.table.remove(shard);
    await deps.forgetReaders(shard);
  },
});

const notActive = (shard: string): DomainError =>
  new DomainError('failed_precondition', 'SHARD_NOT_ACTIVE', `shard: ${shard} is not there, or not active yet`);

function checkWorkspaceId(workspaceId: string): void {
  if (!isObjectId(workspaceId)) throw invalid('INVALID_ARGUMENT', 'workspace: must be an id of 24 hex characters');
}

const toMessage = (move: Move, seriesLeft: number | undefined): ShardMove => ({
  moveId: move.moveId,
  workspaceId: move.workspaceId,
  toShard: move.toShard,
  state: move.state,
  seriesMoved: move.seriesMoved,
  seriesLeft,
  recordsCopied: move.recordsCopied,
  failure: move.failure ?? (move.cleaningFailure ? `old copies: ${move.cleaningFailure}` : ''),
  askedMs: move.askedMs,
  endedMs: move.endedMs,
  seriesLeftBehind: move.leftBehind,
});
