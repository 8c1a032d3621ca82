import { invalid } from '@catchment/errors';
import type { Database } from '@catchment/pg';
import { type DataTime, dataTimes } from '../store/source-data-query.ts';

const MAX_SOURCES = 1_000;

/**
 * Tells when sources brought something last (docs/reference/alarms.md#outdated-data), over all accounts.
 * @throws DomainError invalid_argument for too many
 */
export async function getDataTimes(
  { database }: { readonly database: Database },
  nodeIds: readonly string[],
): Promise<readonly DataTime[]> {
  if (nodeIds.length > MAX_SOURCES) throw invalid('INVALID_ARGUMENT', `nodeIds: must be at most ${MAX_SOURCES}`);
  return dataTimes(database, nodeIds);
}
