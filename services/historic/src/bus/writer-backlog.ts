import type { Bus } from '@catchment/bus';

/** Messages of the ingest log that are not in the store yet, over all partitions. */
export async function writerBacklog(bus: Pick<Bus, 'lag'>): Promise<number> {
  const lags = Object.entries(await bus.lag('INGEST'));
  return lags.reduce((sum, [name, lag]) => (name.startsWith('writer-') ? sum + lag : sum), 0);
}
