import { NodeConfig } from '@catchment/contracts/nodes';
import type { Queryable } from '@catchment/pg';
import { DEFAULT_SHARD } from '../../domain/shard-places.ts';
import type { Move } from '../../usecases/shards/ports.ts';

/** Nodes that are looked at for one answer. */
const NODES_AT_ONCE = 2_000;
/** A count takes a moment for each thousand nodes. */
const MAX_COUNTED = 200_000;

export type Elsewhere = { readonly nodeId: string; readonly shard: string };

/**
 * Nodes of a move's workspace, as the tree is now, that are not at its shard.
 * @param after of these only
 * @returns `held`: how many there are besides that another move holds; `lastId`: of the nodes that were looked at; undefined at the end
 */
export async function elsewhere(
  on: Queryable,
  { workspaceId, ownerId, toShard }: Move,
  after: string,
): Promise<{ readonly series: readonly Elsewhere[]; readonly held: number; readonly lastId: string | undefined }> {
  const { rows } = await on.query<{ node_id: string; config: Buffer; shard: string; is_held: boolean }>(
    `SELECT n.node_id, n.config, coalesce(s.shard, $4) AS shard, EXISTS (
       SELECT FROM portion_series JOIN shard_portions p USING (portion_id)
       WHERE node_id = n.node_id AND p.state NOT IN ('moved', 'cancelled')) AS is_held
     FROM node_replica n LEFT JOIN series_shards s USING (node_id)
     WHERE n.owner_id = $1 AND n.node_id > $2 AND n.deleted_time IS NULL AND coalesce(s.shard, $4) <> $3
     ORDER BY n.node_id LIMIT $5`,
    [ownerId, after, toShard, DEFAULT_SHARD, NODES_AT_ONCE],
    'series-elsewhere',
  );
  const own = rows.filter((row) => NodeConfig.decode(row.config).workspaceId === workspaceId);
  const free = own.filter((row) => !row.is_held);
  const isEnd = rows.length < NODES_AT_ONCE;
  return {
    series: free.map(({ node_id, shard }) => ({ nodeId: node_id, shard })),
    held: own.length - free.length,
    lastId: isEnd ? undefined : rows.at(-1)?.node_id,
  };
}

export async function countElsewhere(on: Queryable, move: Move): Promise<number> {
  let count = 0;
  let seen = 0;
  for (let after: string | undefined = ''; after !== undefined && seen < MAX_COUNTED; seen += NODES_AT_ONCE) {
    const { series, held, lastId } = await elsewhere(on, move, after);
    count += series.length + held;
    after = lastId;
  }
  return count;
}
