import type { Bus } from '@catchment/bus';
import { DomainError, toDomainError } from '@catchment/errors';
import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import {
  appliedPublisher,
  BatchApplier,
  observeVisible,
  pgWriteObservations,
  pgWriterState,
  settledPublisher,
} from './apply/index.ts';
import type { Shards } from './open-shards.ts';
import { edgesOf, sumAtOf } from './records/index.ts';
import { pgWriterAssignments, ShardShare, writerPart } from './shards/index.ts';

type WriterDeps = {
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Logger;
};

const AWAY: readonly string[] = ['INFLUX_UNAVAILABLE', 'INFLUX_SILENT'];

/** Opens the writer of each shard: it takes the entries of the shard from the log to its InfluxDB, whatever the others do. */
export function openWriters(shards: Shards, { database, bus, log }: WriterDeps) {
  const assignments = pgWriterAssignments(database);
  return [...shards.stores].map(([shard, store]) => {
    const share = (isLate: boolean) => new ShardShare({ shard, isLate, assignments, isSpread: shards.mayBeSpread });
    const lateShare = share(true);
    const applier = (target: Pick<typeof store, 'records' | 'existing'>, entries: ShardShare) =>
      new BatchApplier({
        records: target.records,
        existing: target.existing,
        log,
        share: entries,
        observations: pgWriteObservations(database, shard),
        state: pgWriterState(database, shard),
        sumAt: sumAtOf(target.records),
        edgesOf: (series, count, signal) => edgesOf(target.records, series, { count }, signal),
        publishApplied: appliedPublisher(bus, shards.numberOf(shard)),
        publishSettled: settledPublisher(bus, shards.numberOf(shard)),
      });
    const [inTime, late] = [applier(store, share(false)), applier(shards.routed, lateShare)];
    // It would hold up the partition of this writer for as long as the other shard is away.
    const applyLate: BatchApplier['apply'] = async (partition, messages, signal, unfinishedFrom) => {
      try {
        return await late.apply(partition, messages, signal, unfinishedFrom);
      } catch (error) {
        const isAway = signal.aborted || AWAY.includes(toDomainError(error).reason);
        if (!isAway || !lateShare.isElsewhere(partition)) throw error;
        throw new DomainError(
          'failed_precondition',
          'SHARD_AWAY',
          'series: are at another InfluxDB, which does not answer',
          {
            cause: error,
          },
        );
      }
    };
    return {
      shard,
      applier: inTime,
      start: (seen?: ApplySeen) =>
        bus.readPartitions(
          'writer',
          async (partition, messages, signal) => {
            seen?.(partition, messages);
            const unfinishedFrom = Math.min(...messages.map(({ sequence }) => sequence));
            // A dead letter is for this writer, but its series may have moved on since.
            for (const run of runsOf(messages)) {
              const apply = run[0]?.isRetry ? applyLate : inTime.apply.bind(inTime);
              const stored = await apply(partition, run, signal, unfinishedFrom);
              observeVisible(
                run.filter(({ sequence }) => stored.has(sequence)),
                Date.now(),
              );
            }
          },
          writerPart(shard),
        ),
    };
  });
}

type Messages = Parameters<Parameters<Bus['readPartitions']>[1]>[1];
type ApplySeen = (partition: number, messages: Messages) => void;

/** Returns messages in their order, with runs of dead letters apart. */
function runsOf(messages: Messages): Messages[number][][] {
  const runs: Messages[number][][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    if (run?.[0]?.isRetry === message.isRetry) run.push(message);
    else runs.push([message]);
  }
  return runs;
}
