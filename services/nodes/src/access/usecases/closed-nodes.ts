import type { Scope } from '@catchment/access';
import type { PeopleDeps } from '../../people/index.ts';
import { closedIds } from '../../rights/index.ts';

const BATCH = 2_000;

/**
 * Reads the ids of all nodes that are closed to the scope's user though their Workspace is not
 * (docs/reference/people-and-security.md#effective-permissions).
 */
export async function* closedNodes(
  deps: Pick<PeopleDeps, 'database'>,
  scope: Scope,
): AsyncGenerator<{ nodeIds: string[] }> {
  const ids = await closedIds(deps.database, scope);
  for (let from = 0; from < ids.length; from += BATCH) yield { nodeIds: ids.slice(from, from + BATCH) };
}
