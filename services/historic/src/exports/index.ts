import type { Caller } from '@catchment/access';
import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { pgExports } from './store/pg-exports.ts';
import { exportsHandlers } from './transport/exports-handlers.ts';
import { ExportWorker } from './usecases/export-worker.ts';
import type { ExportDeps } from './usecases/exports.ts';

type ExportsRoomDeps = {
  readonly database: Database;
  readonly read: ExportDeps['read'];
  readonly sign: (caller: Caller) => Promise<string>;
  readonly log: Logger;
};

/** Exports, which a worker makes one after the other (docs/reference/writing.md#exports). */
export function openExports({ database, read, sign, log }: ExportsRoomDeps) {
  const exports = pgExports(database);
  const worker = new ExportWorker({ exports, read, sign, log });
  return {
    handlers: exportsHandlers({ exports, read, wake: () => worker.wake() }),
    stop: () => worker.stop(),
  };
}
