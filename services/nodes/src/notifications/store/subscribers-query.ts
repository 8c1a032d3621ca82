import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { withoutClosed } from '../../rights/index.ts';

/** Users and groups with these ids are subscribed. */
export type Subscribers = { readonly userIds: ReadonlySet<string>; readonly groupIds: ReadonlySet<string> };

/** The subscribers of a node. @param on with `branch`, or to any node below it that the scope's user may see */
export async function subscribersOf(
  on: Queryable,
  scope: Scope,
  nodeId: string,
  reach: 'node' | 'branch',
): Promise<Subscribers> {
  const values: unknown[] = [nodeId];
  const { rows } = await on.query<{ user_id: string | null; group_id: string | null }>(
    reach === 'node'
      ? 'SELECT user_id, group_id FROM subscriptions WHERE node_id = $1'
      : `WITH RECURSIVE branch AS (
           SELECT node_id FROM nodes WHERE node_id = $1
           UNION ALL
           SELECT c.node_id FROM branch JOIN nodes c ON c.parent_id = branch.node_id
         ) SELECT DISTINCT s.user_id, s.group_id FROM subscriptions s JOIN branch USING (node_id)
         WHERE TRUE${withoutClosed(scope, 's.node_id', values)}`,
    values,
  );
  return {
    userIds: new Set(rows.flatMap((row) => row.user_id ?? [])),
    groupIds: new Set(rows.flatMap((row) => row.group_id ?? [])),
  };
}
