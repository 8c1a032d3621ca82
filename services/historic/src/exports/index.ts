export { pgExports } from './store/pg-exports.ts';
export { exportsHandlers } from './transport/exports-handlers.ts';
export { ExportWorker } from './usecases/export-worker.ts';
