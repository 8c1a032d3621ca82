import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Runbook } from '../usecases/pages/runbook.ts';

/** Folder of the repository; the image has the same path. */
const FOLDER = path.resolve(import.meta.dirname, '../../../../docs/operations/runbook');
/** Alerts have such names: nothing else of the disk can be asked for. */
const NAME = /^Catchment[A-Za-z]{1,80}$/;

export const runbookPage: Runbook = async (alert) => {
  if (alert !== undefined && !NAME.test(alert)) return undefined;
  return readFile(path.join(FOLDER, `${alert ?? 'README'}.md`), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
};
