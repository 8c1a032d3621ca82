import type { AccountLimits, OwnDays } from '@catchment/contracts/limits';
import { readOwner, type StoreDeps } from '../../changes/index.ts';
import { ownersWithDays } from '../store/own-days-query.ts';

/** Returns an account's own limits; absent ones are those of the installation. @throws DomainError not_found */
export async function getLimits({ database }: Pick<StoreDeps, 'database'>, ownerId: string): Promise<AccountLimits> {
  const { row_limit } = await readOwner(database, ownerId);
  return { ...(row_limit !== null && { rowsPerSourcePerDay: row_limit }) };
}

/** Lists the accounts that have days of their own. Only our own services see all accounts. */
export async function listOwnDays({ database }: Pick<StoreDeps, 'database'>): Promise<OwnDays[]> {
  return (await ownersWithDays(database)).map(({ owner_id: ownerId, record_days, event_days }) => ({
    ownerId,
    ...(record_days !== null && { recordDays: record_days }),
    ...(event_days !== null && { eventDays: event_days }),
  }));
}
