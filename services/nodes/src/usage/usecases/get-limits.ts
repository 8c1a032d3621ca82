import type { AccountLimits } from '@catchment/contracts/limits';
import { readOwner, type StoreDeps } from '../../changes/index.ts';

/** Limits that an account has of its own; what it has not is as the installation has it. @throws DomainError not_found */
export async function getLimits({ database }: Pick<StoreDeps, 'database'>, ownerId: string): Promise<AccountLimits> {
  const { row_limit } = await readOwner(database, ownerId);
  return { ...(row_limit !== null && { rowsPerSourcePerDay: row_limit }) };
}
