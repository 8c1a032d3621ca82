import type { Bus } from '@catchment/bus';
import { emptyMessage } from '@catchment/ingest-log';

/**
 * Gives the readers of each partition of the log a message to acknowledge before there is any other. A broker before 2.9.17 that is
 * started again overlooks a reader that has never acknowledged, and removes the messages that all others have acknowledged.
 */
export async function beginLog(bus: Pick<Bus, 'neverAcknowledged' | 'publish'>, partitions: number): Promise<void> {
  const readers = await bus.neverAcknowledged('INGEST');
  for (let partition = 0; partition < partitions; partition += 1) {
    if (![...readers].some((name) => name.endsWith(`-${partition}`))) continue;
    // The broker drops a repetition by another replica.
    await bus.publish(`ingest.${partition}`, emptyMessage(), { msgId: `begin-${partition}` });
  }
}
