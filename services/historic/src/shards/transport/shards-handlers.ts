import type { ShardsServiceService } from '@catchment/contracts/shards';
import type { Handlers } from '@catchment/grpc';
import type { shardsUsecases } from '../usecases/shards.ts';

export const shardsHandlers = (shards: ReturnType<typeof shardsUsecases>): Handlers<typeof ShardsServiceService> => ({
  listShards: (_request, { caller }) => shards.list(caller),
  assignWorkspace: async ({ workspaceId, shard }, { caller }) => {
    await shards.assign(caller, workspaceId, shard);
    return {};
  },
  drainShard: async ({ shard, ends }, { caller }) => {
    await shards.drain(caller, shard, ends);
    return {};
  },
  moveWorkspace: ({ workspaceId, shard }, { caller }) => shards.move(caller, workspaceId, shard),
  listMoves: (_request, { caller }) => shards.moves(caller),
  cancelMove: ({ moveId }, { caller }) => shards.cancel(caller, moveId),
  removeShard: async ({ shard }, { caller }) => {
    await shards.remove(caller, shard);
    return {};
  },
});
