import { join } from 'node:path';
import type { EnvReader } from '@catchment/config';
import { databaseConnections } from '@catchment/pg';
import { serviceConfig } from '@catchment/service';

/** Each has this many loops, see `startProcessing`. */
const KINDS_OF_LOOPS = 3;
/** Connections that are needed beside the loops: the relay that listens, readers, calls, and a quarter for second connections. */
const MORE_CONNECTIONS = 8;

const loopsOf = (read: EnvReader): number => read.int('PROCESSING_LOOPS', { min: 1, max: 64, fallback: 4 });

/** Reads what processing uses, and its settings; see README. */
export const config = serviceConfig({
  name: 'processing',
  uses: {
    peers: ['nodes', 'historic'],
    bus: {},
    database: { migrations: join(import.meta.dirname, '../migrations'), connections, outbox: true },
  },
  settings: (read) => ({
    loops: loopsOf(read),
    runners: read.int('RUNNERS', { min: 1, max: 64, fallback: 2 }),
    convertersFolder: read.optionalText('CONVERTERS_FOLDER'),
  }),
});

/** A step of a loop is a transaction. */
function connections(read: EnvReader): number {
  const inLoops = KINDS_OF_LOOPS * loopsOf(read);
  return databaseConnections(read, { held: inLoops + 1, usual: Math.ceil(inLoops * 1.5) + MORE_CONNECTIONS });
}
