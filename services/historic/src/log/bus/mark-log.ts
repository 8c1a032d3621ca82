import type { Bus } from '@catchment/bus';
import { newObjectId } from '@catchment/ids';

/** Puts a message into each partition of the ingest log. @returns their sequences, by partition */
export async function markLog(bus: Bus, message: Uint8Array): Promise<readonly number[]> {
  const marks = Array.from({ length: bus.partitions }, (_, partition) =>
    bus.publish(`ingest.${partition}`, message, { msgId: `mark-${newObjectId()}` }),
  );
  return (await Promise.all(marks)).map(({ sequence }) => sequence);
}
