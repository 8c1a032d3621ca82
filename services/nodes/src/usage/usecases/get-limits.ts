import type { AccountLimits } from '@catchment/contracts/limits';
import { readOwner, type StoreDeps } from '../../changes/index.ts';

/** An account's own limits; absent ones are those of the installation. @throws DomainError not_found */
export async function getLimits({ database }: Pick<StoreDeps, 'database'>, ownerId: string): Promise<AccountLimits> {
  const { row_limit } = await readOwner(database, ownerId);
  return { ...(row_limit !== null && { rowsPerSourcePerDay: row_limit }) };
}
