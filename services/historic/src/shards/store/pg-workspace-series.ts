import { NodeConfig } from '@catchment/contracts/nodes';
import type { Queryable } from '@catchment/pg';
import { DEFAULT_SHARD } from '../../records/index.ts';
import type { Elsewhere } from '../domain/portion-choice.ts';
import type { Move } from '../usecases/ports.ts';

/** One answer looks at this many nodes. */
const NODES_AT_ONCE = 2_000;
/** A count takes a moment for each thousand nodes. */
const MAX_COUNTED = 200_000;

/** Yields nodes of a move's workspace, as the tree is now, that are not at its shard; those of one answer together, which may be none. */
export async function* elsewhere(
  on: Queryable,
  { workspaceId, ownerId, toShard }: Move,
): AsyncGenerator<readonly Elsewhere[]> {
  type Row = { node_id: string; config: Buffer; shard: string; is_held: boolean };
  let after: string | undefined = '';
  while (after !== undefined) {
    const { rows }: { rows: Row[] } = await on.query<Row>(
      `SELECT n.node_id, n.config, coalesce(s.shard, $4) AS shard, EXISTS (
         SELECT FROM portion_series JOIN shard_portions p USING (portion_id)
         WHERE node_id = n.node_id AND p.state NOT IN ('moved', 'cancelled')) AS is_held
       FROM node_replica n LEFT JOIN series_shards s USING (node_id)
       WHERE n.owner_id = $1 AND n.node_id > $2 AND n.deleted_time IS NULL AND coalesce(s.shard, $4) <> $3
       ORDER BY n.node_id LIMIT $5`,
      [ownerId, after, toShard, DEFAULT_SHARD, NODES_AT_ONCE],
      'series-elsewhere',
    );
    yield rows
      .filter((row) => NodeConfig.decode(row.config).workspaceId === workspaceId)
      .map(({ node_id, shard, is_held }) => ({ nodeId: node_id, shard, isHeld: is_held }));
    after = rows.length < NODES_AT_ONCE ? undefined : rows.at(-1)?.node_id;
  }
}

export async function countElsewhere(on: Queryable, move: Move): Promise<number> {
  let [count, seen] = [0, 0];
  for await (const some of elsewhere(on, move)) {
    count += some.length;
    seen += NODES_AT_ONCE;
    if (seen >= MAX_COUNTED) break;
  }
  return count;
}
