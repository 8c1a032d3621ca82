import { type Bus, partitionConsumerName } from '@catchment/bus';
import type { ToldPartitions } from '../usecases/ports.ts';

export const toldPartitions = (bus: Pick<Bus, 'lag' | 'partitions'>): ToldPartitions => ({
  async settled() {
    // In this order: the writer tells before it has finished with a message.
    const written = await bus.lag('INGEST');
    const taken = await bus.lag('APPLIED');
    const all = Array.from({ length: bus.partitions }, (_, partition) => partition);
    return new Set(
      all.filter(
        (partition) =>
          written[partitionConsumerName('writer', partition)] === 0 &&
          taken[partitionConsumerName('alarms-applied', partition)] === 0,
      ),
    );
  },
});
