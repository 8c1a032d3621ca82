import { setTimeout } from 'node:timers/promises';
import { ExportsServiceService } from '@catchment/contracts/exports';
import { HandOverServiceService } from '@catchment/contracts/hand-over';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { LimitsServiceService } from '@catchment/contracts/limits';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { ShardsServiceService } from '@catchment/contracts/shards';
import { admitted } from '@catchment/grpc';
import { partitionOf } from '@catchment/ids';
import { emptyMessage, type LogEntry } from '@catchment/ingest-log';
import { AccountQualities, accountDays, nodesOfSource } from '@catchment/node-replica';
import { openService, repeat } from '@catchment/service';
import { config } from './config.ts';
import { ExportWorker, exportsHandlers, pgExports } from './exports/index.ts';
import { followConfiguration, purgeTombstones } from './following/index.ts';
import { historicHandlers } from './historic-handlers.ts';
import { accountRowLimit, DailyLimits, type DayTimesDeps, dayTimes, pgDailyRows } from './limits/index.ts';
import { GroupCommit } from './log/index.ts';
import { settledUntil, Waiting } from './progress/index.ts';
import { beginHandOver, endHandOver, handOverHandlers, handOverRatings } from './ratings/index.ts';
import { readingQueues } from './read/index.ts';
import { DEFAULT_SHARD } from './records/index.ts';
import { expireRecords, pgRecordRetention } from './retention/index.ts';
import { NodeCatalogue } from './series/index.ts';
import { shardsHandlers } from './shards/index.ts';
import { openShards } from './shards.ts';
import { computedCost, linesCost, writeCost, writingQueue } from './write/index.ts';
import { openWriters } from './writers.ts';

const EXPIRY_APPEND_MS = 5_000;
/** One that is away is looked for again. */
const DATABASES_EVERY_MS = 30_000;
const COUNT_EVERY_MS = 1_000;
const PURGE_EVERY_MS = 3_600_000;
const EXPIRE_EVERY_MS = 60_000;
/** A replica of the version before may note what is to be computed again. */
const HAND_OVER_EVERY_MS = 1_000;

export const service = openService(config, async (scope) => {
  const { config, log, defer, database, bus, signer, peers } = scope;
  const { partitions } = config;
  // Writes are accepted while an InfluxDB is away: it is shown, and does not take this replica out of service.
  const shards = await openShards({
    ...{ database, bus, log, newShard: config.newShard, graceSeconds: config.shardGraceSeconds },
    shards: config.shards.map((shard) => ({ ...shard, influxDatabase: config.influxDatabase })),
    recentBytes: config.recentRecordsBytes,
    ...(config.presenceOnAllRecords && { leastRun: Number.POSITIVE_INFINITY }),
  });
  defer(() => shards.close());
  const { records, existing, summaries, outlines } = shards.routed;

  const nodes = peers.nodes.client(NodesServiceService);
  const catalogue = new NodeCatalogue({ database, nodes, signer });
  const commit = new GroupCommit({
    publish: (subject, data, options) => bus.publish(subject, data, options),
    partitions,
    maxPayloadBytes: () => bus.maxPayloadBytes,
  });
  defer(() => commit.drain());
  const append = shards.placed((...of) => commit.append(...of));

  const accountLimits = peers.nodes.client(LimitsServiceService);
  const nodesOf: DayTimesDeps['nodesOf'] = (source, limit) => nodesOfSource(database, source, limit);
  const rowLimitOf = accountRowLimit(accountLimits, signer, config.rowsPerSourcePerDay, log);
  const limits = new DailyLimits({
    rows: pgDailyRows(database),
    limitOf: rowLimitOf,
    timesOf: dayTimes({ nodesOf, existing, backlog: shards.backlog, log }),
    now: Date.now,
    log,
  });
  defer(() => limits.flush());
  if (config.recordDays > 0) log.info({ recordDays: config.recordDays }, 'records are removed after so many days');
  const expiry = {
    accounts: pgRecordRetention(database),
    daysOf: accountDays(accountLimits, signer, 'historic', 'recordDays', config.recordDays),
    olderAmong: shards.olderAmong,
    append: (sourceId: string, entries: readonly LogEntry[]) =>
      append(partitionOf(sourceId, partitions), entries, Date.now() + EXPIRY_APPEND_MS),
    backlog: shards.backlog,
    pause: (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
    ...{ now: Date.now, log },
  };
  let isHandedOver = false;
  const repeated = [
    repeat(
      async () => {
        if (await handOverRatings(database)) return true;
        if (!isHandedOver) isHandedOver = await endHandOver(database);
        return false;
      },
      { everyMs: HAND_OVER_EVERY_MS, failed: 'ratings could not be handed over, trying again', log },
    ),
    repeat((stopping) => shards.makeDatabases(stopping), {
      everyMs: DATABASES_EVERY_MS,
      failed: 'databases could not be made, trying again',
      log,
    }),
    repeat((stopping) => expireRecords(expiry, stopping), {
      everyMs: EXPIRE_EVERY_MS,
      failed: 'old records could not be removed, trying again later',
      log,
    }),
    repeat(() => limits.flush(), {
      everyMs: COUNT_EVERY_MS,
      failed: 'rows could not be counted, trying again',
      log,
    }),
    repeat(() => limits.purge(config.rowsPerSourcePerDay), {
      everyMs: PURGE_EVERY_MS,
      failed: 'old row counts could not be removed, trying again later',
      log,
    }),
    repeat(() => purgeTombstones(database, () => shards.backlog()), {
      everyMs: PURGE_EVERY_MS,
      failed: 'old rows could not be removed, trying again later',
      log,
    }),
  ];
  defer(() => Promise.all(repeated.map((one) => one.stop())));

  const owners = peers.nodes.client(OwnersServiceService);
  const follower = followConfiguration({ bus, catalogue, database, append, now: Date.now });
  const writers = openWriters(shards, { database, bus, log }).map((writer) => ({
    shard: writer.shard,
    ...writer.start(),
  }));
  for (const { shard, hold } of writers) if (shard === DEFAULT_SHARD) shards.followLog(hold);
  defer(() => Promise.all([follower, ...writers].map((reader) => reader.stop())));
  await bus.beginLog(emptyMessage());

  const qualities = new AccountQualities(owners, signer, 'historic');
  const read = {
    catalogue,
    reader: shards.recent,
    summaries,
    outlines,
    qualityOf: (ownerId: string) => qualities.load(ownerId),
    queueOf: readingQueues(config.readConcurrency, (nodeIds) => shards.router.shardsOf(nodeIds)),
    settledUntil: settledUntil({
      logTimeMs: () => bus.timeMs('INGEST'),
      endOfLog: () => bus.lastSequence('INGEST'),
      ...{ areStored: shards.areStored, oldestUnstoredMs: shards.oldestUnstoredMs },
    }),
    limits: { maxRecords: config.responseMaxFields, maxBytes: config.responseMaxBytes },
    maxMs: config.requestMaxSeconds * 1_000,
    now: Date.now,
  };
  const exports = pgExports(database);
  const exportWorker = new ExportWorker({ exports, read, sign: (caller) => signer.sign(caller), log });
  defer(() => exportWorker.stop());
  const exportDeps = { exports, read, wake: () => exportWorker.wake() };
  const handlers = historicHandlers({
    write: { catalogue, append, limits, partitions, reader: records, qualityOf: read.qualityOf, now: Date.now },
    ...{ read, earlier: records, progress: shards },
    writeState: { areStored: shards.areStored, endOfLog: () => bus.lastSequence('INGEST'), waiting: new Waiting() },
    ...{ kept: expiry.accounts, rowLimitOf },
  });
  const costs = { write: writeCost, writeMany: writeCost, writeLines: linesCost, writeComputed: computedCost };
  await scope.serve((server) =>
    server
      .add(HistoricServiceService, admitted(HistoricServiceService, handlers, writingQueue(), costs))
      .add(ExportsServiceService, exportsHandlers(exportDeps))
      .add(ShardsServiceService, shardsHandlers(shards.administration))
      .add(
        HandOverServiceService,
        handOverHandlers(() => beginHandOver(database)),
      ),
  );
});
