import { saveCounters } from '../values/index.ts';
import * as days from './store/pg-days.ts';
import * as list from './store/pg-files.ts';
import { filesHandlers as handlersOf } from './transport/files-handlers.ts';
import * as kept from './usecases/kept-file.ts';
import { sweepFiles as sweep } from './usecases/sweep-files.ts';

export { releaseFile } from './store/pg-files.ts';
export type { FileDeps } from './usecases/file-store.ts';
export { type KeptFile, readKeptFile } from './usecases/kept-file.ts';
export { removeOldAttachments } from './usecases/remove-old-attachments.ts';

export const filesHandlers = handlersOf.bind(undefined, { ...list, ...days, saveCounters });
/** See `sweepFiles` of sweep-files.ts. */
export const sweepFiles = sweep.bind(undefined, list);
/** See `storeFile` of kept-file.ts. */
export const storeFile = kept.storeFile.bind(undefined, list);
/** See `dropFile` of kept-file.ts. */
export const dropFile = kept.dropFile.bind(undefined, list);
/** See `keepUntil` of kept-file.ts. */
export const keepUntil = kept.keepUntil.bind(undefined, list);
