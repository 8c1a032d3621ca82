export type { Contact } from './domain/contact.ts';
export type { FetchedFile } from './domain/fetched-file.ts';
export { importView, listedImport } from './domain/import.ts';
export { fileStatements } from './store/statements.ts';
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
export {
  abandonFile,
  beginFile,
  FILE_MAX_BYTES,
  finishFile,
  type HandOverDeps,
  HELD_MAX,
  SEGMENT_BYTES,
  writeFileSegment,
} from './usecases/hand-over-file.ts';
export { beginImport, cancelImport, finishImport, getImport, listImports } from './usecases/import-file.ts';
export type { FileInWork, FileStored, Store as FilesStore, Stored as FilesStored } from './usecases/ports.ts';
