export type { FetchedFile } from './domain/fetched-file.ts';
export { fileStatements } from './store/statements.ts';
export { fileHandlers } from './transport/file-handlers.ts';
export {
  completeFiles,
  type DeliverDeps,
  type DeliveredFile,
  deliverFile,
  dropFiles,
  type StagedFile,
  stageFile,
} from './usecases/deliver-file.ts';
export { FileWorker } from './usecases/file-worker.ts';
export { FILE_MAX_BYTES, HELD_MAX, SEGMENT_BYTES } from './usecases/hand-over-file.ts';
export type { FileStored, Store as FilesStore, Stored as FilesStored } from './usecases/ports.ts';
