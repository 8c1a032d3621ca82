import { ExportsServiceService } from '@catchment/contracts/exports';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { LimitsServiceService } from '@catchment/contracts/limits';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { ShardsServiceService } from '@catchment/contracts/shards';
import { admitted } from '@catchment/grpc';
import { partitionOf } from '@catchment/ids';
import { emptyMessage } from '@catchment/ingest-log';
import { AccountQualities, accountDays } from '@catchment/node-replica';
import { openService, repeat } from '@catchment/service';
import { config } from './config.ts';
import { openExports } from './exports/index.ts';
import { openFollowing } from './following/index.ts';
import { historicHandlers } from './historic-handlers.ts';
import { accountRowLimit, openLimits } from './limits/index.ts';
import { GroupCommit } from './log/index.ts';
import { openShards } from './open-shards.ts';
import { openWriters } from './open-writers.ts';
import { settledUntil, Waiting } from './progress/index.ts';
import { readingQueues } from './read/index.ts';
import { DEFAULT_SHARD } from './records/index.ts';
import { openRetention } from './retention/index.ts';
import { NodeCatalogue } from './series/index.ts';
import { shardsHandlers } from './shards/index.ts';
import { computedCost, linesCost, writeCost, writingQueue } from './write/index.ts';

/** An InfluxDB that is away is looked for again. */
const DATABASES_EVERY_MS = 30_000;

export const service = openService(config, async (scope) => {
  const { config, log, defer, database, bus, signer, peers } = scope;
  const { partitions } = config;
  // Writes are accepted while an InfluxDB is away: it is shown, and does not take this replica out of service.
  const shards = await openShards({
    database,
    bus,
    log,
    newShard: config.newShard,
    graceSeconds: config.shardGraceSeconds,
    shards: config.shards.map((shard) => ({ ...shard, influxDatabase: config.influxDatabase })),
    recentBytes: config.recentRecordsBytes,
    ...(config.presenceOnAllRecords && { leastRun: Number.POSITIVE_INFINITY }),
  });
  defer(() => shards.close());
  const { backlog } = shards;
  const { records, existing, summaries, outlines } = shards.routed;

  const catalogue = new NodeCatalogue({ database, nodes: peers.nodes.client(NodesServiceService), signer });
  const commit = new GroupCommit({
    publish: (subject, data, options) => bus.publish(subject, data, options),
    partitions,
    maxPayloadBytes: () => bus.maxPayloadBytes,
  });
  defer(() => commit.drain());
  const append = shards.assigning((...call) => commit.append(...call));

  const accountLimits = peers.nodes.client(LimitsServiceService);
  const installationLimit = config.rowsPerSourcePerDay;
  const rowLimitOf = accountRowLimit(accountLimits, signer, installationLimit, log);
  const { limits, ...counting } = openLimits({
    database,
    existing,
    backlog,
    limitOf: rowLimitOf,
    installationLimit,
    log,
  });
  defer(() => counting.stop());
  if (config.recordDays > 0) log.info({ recordDays: config.recordDays }, 'records are removed after so many days');
  const retention = openRetention({
    database,
    daysOf: accountDays(accountLimits, signer, 'historic', 'recordDays', config.recordDays),
    olderAmong: shards.olderAmong,
    append: (sourceId, entries, deadlineMs) => append(partitionOf(sourceId, partitions), entries, deadlineMs),
    backlog,
    log,
  });
  defer(() => retention.stop());
  const databases = repeat((stopping) => shards.makeDatabases(stopping), {
    everyMs: DATABASES_EVERY_MS,
    failed: 'databases could not be made, trying again',
    log,
  });
  defer(() => databases.stop());

  const following = openFollowing({ bus, catalogue, database, append, backlog, log });
  const writers = openWriters(shards, { database, bus, log }).map((writer) => ({
    shard: writer.shard,
    ...writer.start(),
  }));
  for (const { shard, hold } of writers) if (shard === DEFAULT_SHARD) shards.followLog(hold);
  defer(() => Promise.all([following, ...writers].map((reader) => reader.stop())));
  await bus.beginLog(emptyMessage());

  const endOfLog = () => bus.lastSequence('INGEST');
  const qualities = new AccountQualities(peers.nodes.client(OwnersServiceService), signer, 'historic');
  const read = {
    catalogue,
    reader: shards.recent,
    summaries,
    outlines,
    qualityOf: (ownerId: string) => qualities.load(ownerId),
    queueOf: readingQueues(config.readConcurrency, (nodeIds) => shards.router.shardsOf(nodeIds)),
    settledUntil: settledUntil({
      logTimeMs: () => bus.timeMs('INGEST'),
      endOfLog,
      areStored: shards.areStored,
      oldestUnstoredMs: shards.oldestUnstoredMs,
    }),
    limits: { maxRecords: config.responseMaxFields, maxBytes: config.responseMaxBytes },
    maxMs: config.requestMaxSeconds * 1_000,
    now: Date.now,
  };
  const exports = openExports({ database, read, sign: (caller) => signer.sign(caller), log });
  defer(() => exports.stop());
  const handlers = historicHandlers({
    write: { catalogue, append, limits, partitions, reader: records, qualityOf: read.qualityOf, now: Date.now },
    read,
    earlier: records,
    progress: shards,
    writeState: { areStored: shards.areStored, endOfLog, waiting: new Waiting() },
    kept: retention.accounts,
    rowLimitOf,
  });
  const costs = { write: writeCost, writeMany: writeCost, writeLines: linesCost, writeComputed: computedCost };
  await scope.serve((server) =>
    server
      .add(HistoricServiceService, admitted(HistoricServiceService, handlers, writingQueue(), costs))
      .add(ExportsServiceService, exports.handlers)
      .add(ShardsServiceService, shardsHandlers(shards.administration)),
  );
});
