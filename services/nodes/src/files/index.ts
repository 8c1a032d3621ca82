export { releaseFile } from './store/pg-files.ts';
export { filesHandlers } from './transport/files-handlers.ts';
export type { FileDeps } from './usecases/file-store.ts';
export { dropFile, type KeptFile, keepUntil, readKeptFile, storeFile } from './usecases/kept-file.ts';
export { removeOldAttachments } from './usecases/remove-old-attachments.ts';
export { sweepFiles } from './usecases/sweep-files.ts';
