import { saveCounters } from '../values/index.ts';
import { countFile, countRefusedFile } from './store/pg-days.ts';
import {
  claimFile,
  dropComing,
  expectSegment,
  forgetFile,
  insertFile,
  keepFile,
  releaseFile,
} from './store/pg-files.ts';
import { filesHandlers as handlersOf } from './transport/files-handlers.ts';
import * as kept from './usecases/kept-file.ts';
import { sweepFiles as sweep } from './usecases/sweep-files.ts';

export { releaseFile } from './store/pg-files.ts';
export type { FileDeps } from './usecases/file-store.ts';
export { type KeptFile, readKeptFile } from './usecases/kept-file.ts';
export { removeOldAttachments } from './usecases/remove-old-attachments.ts';

const list = { insertFile, expectSegment, keepFile, releaseFile, dropComing, claimFile, forgetFile };

export const filesHandlers = handlersOf.bind(undefined, { ...list, countFile, countRefusedFile, saveCounters });
/** See `sweepFiles` of sweep-files.ts. */
export const sweepFiles = sweep.bind(undefined, list);
/** See `storeFile` of kept-file.ts. */
export const storeFile = kept.storeFile.bind(undefined, list);
/** See `dropFile` of kept-file.ts. */
export const dropFile = kept.dropFile.bind(undefined, list);
/** See `keepUntil` of kept-file.ts. */
export const keepUntil = kept.keepUntil.bind(undefined, list);
