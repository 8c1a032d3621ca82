export { filesHandlers } from './transport/files-handlers.ts';
export type { FileDeps } from './usecases/file-store.ts';
export { removeOldAttachments } from './usecases/remove-old-attachments.ts';
export { sweepFiles } from './usecases/sweep-files.ts';
