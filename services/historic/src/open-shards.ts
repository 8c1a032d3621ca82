import type { Bus } from '@catchment/bus';
import { partitionOf } from '@catchment/ids';
import { emptyMessage } from '@catchment/ingest-log';
import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { InfluxSummaries } from './aggregates/index.ts';
import { InfluxConnection } from './influx/index.ts';
import { type Append, markLog } from './log/index.ts';
import { InfluxOutlines } from './outlines/index.ts';
import type { SeriesPlace } from './progress/index.ts';
import { type LogHold, RecentRecords } from './recent/index.ts';
import { DEFAULT_SHARD, InfluxPresence, InfluxRecords } from './records/index.ts';
import { olderAmong } from './retention/index.ts';
import {
  assigningAppend,
  backlogOfShards,
  influxCopy,
  LogRoom,
  MoveWorker,
  pgShardAssignments,
  pgShardMoves,
  pgShardTable,
  pgWriterAssignments,
  reportShards,
  routedRecords,
  ShardRegistry,
  ShardRouter,
  type ShardStore,
  shardsUsecases,
  writerBacklog,
  writerPart,
} from './shards/index.ts';

type ShardOptions = {
  /** `default` first. */
  readonly shards: readonly { readonly name: string; readonly url: string; readonly influxDatabase: string }[];
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Logger;
  /** Columns of fewer records are written with presence fields. */
  readonly leastRun?: number;
  readonly newShard: string | undefined;
  readonly graceSeconds: number;
  /** Looks at the room of the log are this far apart; `LogRoom` has the default. */
  readonly logLookMs?: number | undefined;
  /** Recent records take up to this much memory; 0 or absent = none. */
  readonly recentBytes?: number;
};

/** Opens the InfluxDBs of an installation, and the map of which series are where. */
export async function openShards({
  shards,
  database,
  bus,
  log,
  leastRun,
  newShard,
  graceSeconds,
  logLookMs,
  recentBytes = 0,
}: ShardOptions) {
  const table = pgShardTable(database, bus.partitions);
  const others = shards.map(({ name }) => name).filter((name) => name !== DEFAULT_SHARD);
  // Their readers of the log come before anything is put there for them.
  await bus.ensureParts('writer', others);
  const { registry, numbers } = await ShardRegistry.open(table, others, log);
  const isSpread = () => registry.hasOthers;
  const recent = new RecentRecords({
    budgetBytes: recentBytes,
    isSpread: () => registry.mayHaveOthers,
    monotonicMs: () => performance.now(),
  });
  const heldSpan = () => recent.heldSpan();
  const stores = new Map(
    shards.map(({ name, url, influxDatabase }) => {
      const connection = new InfluxConnection({ url, database: influxDatabase, log, shard: name });
      const store: ShardStore = {
        connection,
        records: new InfluxRecords(connection, { heldSpan, ...(leastRun !== undefined && { leastRun }) }),
        existing: new InfluxPresence(connection),
        summaries: new InfluxSummaries(connection),
        outlines: new InfluxOutlines(connection),
      };
      return [name, recent.mirrored(store)];
    }),
  );
  const router = new ShardRouter(database, stores, isSpread);
  const hasRead = (shard: string, partition: number, sequence: number) =>
    bus.hasRead('writer', partition, sequence, writerPart(shard));
  const moves = pgShardMoves(database);
  const mover = new MoveWorker({
    moves,
    isSpread,
    graceSeconds,
    log,
    copy: influxCopy((shard) => router.store(shard).connection),
    remove: (shard, nodeIds, signal) => router.store(shard).records.deleteSeries(nodeIds, signal),
    mark: () => markLog(bus, emptyMessage()),
  });
  const assignments = pgShardAssignments(database, others);
  const room = new LogRoom({
    isSpread,
    log,
    lookEveryMs: logLookMs,
    partitions: bus.partitions,
    assignments: pgWriterAssignments(database),
    use: async () => ({ ...(await bus.room('INGEST')), backlogs: await backlogOfShards(bus) }),
    removeUnneeded: (partition, behind, after, needed) =>
      bus.removeUnneeded(partition, { behind: behind.map(writerPart), after, needed }),
  });
  const shardsOf = (nodeIds: readonly string[]) => router.shardsOf(nodeIds);
  const endMetrics = reportShards(database, stores, { isSpread, logUsed: () => room.used });
  const routed = routedRecords(router);
  return {
    stores,
    router,
    routed,
    /** Answers take records from memory, where that is what the store has. */
    recent: recent.reader(routed.records),
    /** Is called when the writer of `default` begins to read the log. */
    followLog: (hold: LogHold) => recent.followLog(hold),
    mayBeSpread: () => registry.mayHaveOthers,
    numberOf: (shard: string) => numbers.get(shard) ?? 0,
    assigning: (append: Append): Append => assigningAppend(append, { assignments, isSpread, newShard, room, shardsOf }),
    /** Makes the databases that are missing, so that whoever looks before the first record finds them. @throws while an InfluxDB is away */
    async makeDatabases(signal: AbortSignal): Promise<void> {
      const made = [...stores.values()].map(({ connection }) => connection.ensureDatabase(signal));
      await Promise.all(made);
    },
    /** Returns which of these series have any record before a time, Unix ms. */
    async olderAmong(nodeIds: readonly string[], beforeMs: number, signal: AbortSignal): Promise<readonly string[]> {
      const older: string[] = [];
      await router.each(nodeIds, async ({ connection }, some) => {
        older.push(...(await olderAmong(connection, some, beforeMs, signal)));
      });
      return older;
    },
    /**
     * Messages on their way to the InfluxDBs of these series, over all partitions; without `nodeIds` all series count.
     */
    async backlog(nodeIds?: readonly string[]): Promise<number> {
      const found = nodeIds && new Set((await router.shardsOf(nodeIds)).values());
      return writerBacklog(bus, found);
    },
    /** Returns whether all that the log has of a series up to a sequence can be read. */
    async isStored({ nodeId, sourceId }: { nodeId: string; sourceId: string }, sequence: number): Promise<boolean> {
      const shard = (await router.shardsOf([nodeId])).get(nodeId) ?? DEFAULT_SHARD;
      if (!(await hasRead(shard, partitionOf(sourceId, bus.partitions), sequence))) return false;
      // This is asked afterwards: a shard that has handed the series over has passed by what belongs to the other shard.
      return (await router.shardsNow([nodeId])).get(nodeId) === shard;
    },
    /** Returns whether all that the log has of these series up to a sequence can be read. */
    async areStored(series: readonly SeriesPlace[], sequence: number): Promise<boolean> {
      const nodeIds = series.map(({ nodeId }) => nodeId);
      const before = await router.shardsOf(nodeIds);
      const readers = readersOf(series, before, bus.partitions);
      const read = await Promise.all(readers.map(({ shard, partition }) => hasRead(shard, partition, sequence)));
      if (read.includes(false)) return false;
      const after = await router.shardsNow(nodeIds);
      return nodeIds.every((nodeId) => after.get(nodeId) === (before.get(nodeId) ?? DEFAULT_SHARD));
    },
    /**
     * Returns the arrival of the oldest message whose records of these series may still be on their way, Unix ms; undefined: there
     * is none.
     */
    async oldestUnstoredMs(series: readonly SeriesPlace[]): Promise<number | undefined> {
      const assigned = await router.shardsOf(series.map(({ nodeId }) => nodeId));
      const oldest = await Promise.all(
        readersOf(series, assigned, bus.partitions).map(({ shard, partition }) =>
          bus.oldestUnreadMs('writer', partition, writerPart(shard)),
        ),
      );
      const times = oldest.filter((ms) => ms !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    administration: shardsUsecases({
      table,
      moves,
      urls: new Map(shards.map(({ name, url }) => [name, withoutLogin(url)])),
      check: (shard, signal) => router.store(shard).connection.check(signal),
      pending: (shard) => writerBacklog(bus, new Set([shard])),
      forgetReaders: (shard) => bus.removePart('writer', shard),
      wake: () => mover.wake(),
    }),
    async close(): Promise<void> {
      recent.close();
      endMetrics();
      await Promise.all([mover.stop(), registry.stop(), room.stop()]);
      for (const { connection } of stores.values()) connection.close();
    },
  };
}

/** Returns the readers of the log that store these series, each once. */
function readersOf(series: readonly SeriesPlace[], shards: ReadonlyMap<string, string>, partitions: number) {
  const readers = new Map<string, { shard: string; partition: number }>();
  for (const { nodeId, sourceId } of series) {
    const [shard, partition] = [shards.get(nodeId) ?? DEFAULT_SHARD, partitionOf(sourceId, partitions)];
    readers.set(`${partition} ${shard}`, { shard, partition });
  }
  return [...readers.values()];
}

export type Shards = Awaited<ReturnType<typeof openShards>>;

function withoutLogin(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}
