// Copies all records for `catchment backup` and `catchment restore`, which start this with the environment of historic:
//   read    writes frames (proto/catchment/historic/v1/copies.proto) to standard output
//   write   takes them from standard input, and writes what it has done to standard output, as JSON
//   empty   exit status 0 where there is no record, 3 where there is one

import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { verdictOf } from '@catchment/bus';
import { withBackendLogins } from '@catchment/config';
import { Edges } from '@catchment/contracts/historic';
import { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { InfluxSummaries } from './aggregates/index.ts';
import { BatchApplier, pgWriteObservations, pgWriterState } from './apply/index.ts';
import { readCopyConfig } from './config.ts';
import {
  again,
  copiedSeries,
  decodeFrames,
  encodeFrames,
  hasRecords,
  leaveOthers,
  ofAccount,
  type Retry,
  readRecords,
  routedChunks,
  writeRecords,
} from './copies/index.ts';
import { InfluxConnection } from './influx/index.ts';
import { InfluxOutlines } from './outlines/index.ts';
import { InfluxPresence, InfluxRecords, sumAtOf } from './records/index.ts';
import { cancelRestoredMoves, routedRecords, ShardRouter } from './shards/index.ts';

const NOT_EMPTY = 3;

const config = readCopyConfig(withBackendLogins(process.env));
// Standard output is for frames.
const log = createLogger('copy-records', { level: 'silent' });
const { databaseUrl: url, databaseSchema: schema } = config;
const database = new Database({ url, schema, applicationName: 'copy-records', log });
const stores = new Map(
  config.shards.map(({ name, url: influxUrl }) => {
    const connection = new InfluxConnection({ url: influxUrl, database: config.influxDatabase, log, shard: name });
    const store = {
      connection,
      records: new InfluxRecords(connection),
      existing: new InfluxPresence(connection),
      summaries: new InfluxSummaries(connection),
      outlines: new InfluxOutlines(connection),
    };
    return [name, store] as const;
  }),
);
const router = new ShardRouter(database, stores, () => true);
const stopped = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) void once(process, name).then(() => stopped.abort());
const { signal } = stopped;
const isForLater = (error: unknown, attempt: number) => verdictOf(error, attempt).kind === 'retry';
const retry: Retry = (work) => again({ isForLater, pause, signal }, work);

try {
  switch (process.argv[2]) {
    case 'read': {
      const frames = readRecords({
        series: copiedSeries(database, retry),
        chunksOf: (series) => routedChunks(database, router, series, { signal, retry }),
      });
      await pipeline(encodeFrames(frames), process.stdout);
      break;
    }
    case 'write': {
      await cancelRestoredMoves(database);
      const routed = routedRecords(router);
      const { ownerId } = config;
      if (ownerId !== undefined) await leaveOthers(database, ownerId);
      const records = ownerId === undefined ? routed.records : ofAccount(database, ownerId, routed.records);
      const applier = new BatchApplier({
        records,
        existing: routed.existing,
        observations: pgWriteObservations(database),
        state: pgWriterState(database),
        // All of this was published when the messages came first.
        sumAt: sumAtOf(routed.records),
        edgesOf: async ({ nodeId }) => Edges.fromPartial({ nodeId }),
        publishApplied: async () => {},
        publishSettled: async () => {},
        log,
      });
      const done = await writeRecords({ records, applier, isForLater, pause, signal }, decodeFrames(process.stdin));
      process.stdout.write(`${JSON.stringify(done)}\n`);
      break;
    }
    case 'empty':
      for (const { connection } of stores.values())
        if (await hasRecords(connection, signal)) process.exitCode = NOT_EMPTY;
      break;
    default:
      throw new Error('read, write or empty?');
  }
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`);
  process.exitCode = 1;
} finally {
  for (const { connection } of stores.values()) connection.close();
  await database.close();
}
