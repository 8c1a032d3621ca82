import type { Bus } from '@catchment/bus';

/** Readers show a write within seconds; a longer lag means that a store or a service is away. */
const MAX_LAG_MS = 30_000;

/** Returns whether messages of the ingest log wait for long to reach the store, or the nodes. */
export async function isStoreBehind(bus: Pick<Bus, 'oldestAgeMs'>): Promise<boolean> {
  const ages = await Promise.all([bus.oldestAgeMs('INGEST'), bus.oldestAgeMs('APPLIED')]);
  return ages.some((ageMs) => ageMs > MAX_LAG_MS);
}
