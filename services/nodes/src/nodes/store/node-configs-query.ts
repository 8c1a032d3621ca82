import type { CoordinateFollower, NodeConfig } from '@catchment/contracts/nodes';
import type { Queryable } from '@catchment/pg';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { nodeConfig } from '../usecases/node-config.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from './node-rows.ts';

const MAX_FOLLOWERS = 10;
/**
 * The followers of a source are found by their index, which has the collation of texts in JSON. Most sources have no follower: without
 * `OFFSET 0` PostgreSQL walks through all ids, or all nodes of the account.
 */
const FOLLOWERS = `CASE WHEN n.class LIKE 'source.data.%' THEN (
    SELECT jsonb_agg(jsonb_build_object('locationId', f.node_id, 'series', f.series) ORDER BY f.node_id)
    FROM (SELECT node_id, series FROM (SELECT l.node_id, l.owner_id, l.config -> 'coordinateSeries' AS series FROM nodes l
        WHERE l.config ->> 'coordinateSourceId' = n.node_id COLLATE "default" OFFSET 0) followers
      WHERE owner_id = n.owner_id ORDER BY node_id LIMIT ${MAX_FOLLOWERS}) f) END`;

type FollowerRow = {
  readonly locationId: string;
  readonly series: { readonly latitude: string; readonly longitude: string } | null;
};
const toFollower = ({ locationId, series }: FollowerRow): CoordinateFollower => ({
  locationId,
  latitude: series?.latitude ?? '',
  longitude: series?.longitude ?? '',
});

/** Selects the account's slug and the names above too, which are enough for the full path. */
const WITH_PATH = `
  WITH RECURSIVE line AS (
    SELECT n.node_id AS start_id, n.parent_id, n.class, n.name AS path FROM nodes n WHERE n.node_id = ANY($1)
    UNION ALL
    SELECT line.start_id, p.parent_id, p.class, p.name || '/' || line.path FROM line JOIN nodes p ON p.node_id = line.parent_id
  )
  SELECT ${NODE_COLUMNS}, o.slug || '/' || line.path AS path, line.class = 'Templates' AS in_template, ${FOLLOWERS} AS followers
  FROM line JOIN nodes n ON n.node_id = line.start_id JOIN owners o USING (owner_id)
  WHERE line.parent_id IS NULL`;

/** Reads configurations of nodes for other services, by id; ids that do not exist are left out. */
export async function nodeConfigs(
  on: Queryable,
  nodeIds: readonly string[],
  names: ClassNames,
): Promise<Map<string, NodeConfig>> {
  const { rows } = await on.query<NodeRow & { path: string; in_template: boolean; followers: FollowerRow[] | null }>(
    WITH_PATH,
    [nodeIds],
    'node-configs',
  );
  return new Map(
    rows.map((row) => {
      const followers = row.followers?.map(toFollower) ?? [];
      const place = { path: row.path, isInTemplate: row.in_template, followers };
      return [row.node_id, nodeConfig(toNode(row), place, names)];
    }),
  );
}
