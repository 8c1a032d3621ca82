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
import { readCopyConfig } from './config.ts';
import { InfluxConnection } from './store/influx-connection.ts';
import { chunksOf, hasRecords } from './store/influx-copy.ts';
import { InfluxPresence } from './store/influx-presence.ts';
import { InfluxRecords } from './store/influx-records.ts';
import { copiedSeries } from './store/pg-copied-series.ts';
import { pgWriteObservations } from './store/pg-write-observations.ts';
import { pgWriterState } from './store/pg-writer-state.ts';
import { decodeFrames, encodeFrames } from './transport/copy-frames.ts';
import { BatchApplier } from './usecases/apply-batch.ts';
import { readRecords, writeRecords } from './usecases/copy-records.ts';

const NOT_EMPTY = 3;

const config = readCopyConfig(withBackendLogins(process.env));
// Standard output is for frames.
const log = createLogger('copy-records', { level: 'silent' });
const { databaseUrl: url, databaseSchema: schema } = config;
const database = new Database({ url, schema, applicationName: 'copy-records', log });
const influx = new InfluxConnection({ url: config.influxUrl, database: config.influxDatabase, log });
const stopped = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) void once(process, name).then(() => stopped.abort());
const { signal } = stopped;

try {
  switch (process.argv[2]) {
    case 'read': {
      const frames = readRecords({
        series: copiedSeries(database),
        chunksOf: (series) => chunksOf(influx, series, signal),
      });
      await pipeline(encodeFrames(frames), process.stdout);
      break;
    }
    case 'write': {
      const records = new InfluxRecords(influx);
      const applier = new BatchApplier({
        records,
        existing: new InfluxPresence(influx),
        observations: pgWriteObservations(database),
        state: pgWriterState(database),
        // All of this was told when the messages came first.
        edgesOf: async ({ nodeId }) => Edges.fromPartial({ nodeId }),
        publishApplied: async () => {},
        follow: async () => {},
        log,
      });
      const isForLater = (error: unknown, attempt: number) => verdictOf(error, attempt).kind === 'retry';
      const done = await writeRecords({ records, applier, isForLater, pause, signal }, decodeFrames(process.stdin));
      process.stdout.write(`${JSON.stringify(done)}\n`);
      break;
    }
    case 'empty':
      if (await hasRecords(influx, signal)) process.exitCode = NOT_EMPTY;
      break;
    default:
      throw new Error('read, write or empty?');
  }
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`);
  process.exitCode = 1;
} finally {
  influx.close();
  await database.close();
}
