import type { Queryable } from '@catchment/pg';
import type { Owner } from '../../changes/index.ts';

/** Reads the accounts that are kept for other times than the installation has it. */
export async function ownersWithDays(on: Queryable): Promise<Pick<Owner, 'owner_id' | 'record_days' | 'event_days'>[]> {
  const { rows } = await on.query<Pick<Owner, 'owner_id' | 'record_days' | 'event_days'>>(
    'SELECT owner_id, record_days, event_days FROM owners WHERE record_days IS NOT NULL OR event_days IS NOT NULL ORDER BY owner_id',
    [],
    'owners-with-days',
  );
  return rows;
}
