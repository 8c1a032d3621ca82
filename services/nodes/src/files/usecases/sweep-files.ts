import { forEachIndependently } from '../../usecases/for-each-independently.ts';
import { claimFile, dueFiles } from '../store/pg-files.ts';
import { type FileDeps, removeFile } from './file-store.ts';

/** Files in one pass; the next pass takes more. */
const AT_ONCE = 100;

/**
 * Removes the bytes of files that no node names any more, and of uploads of which nothing has come for a while. Any replica may
 * do it, at any time; an interrupted pass is completed by the next.
 */
export async function sweepFiles(deps: Pick<FileDeps, 'database' | 'objects' | 'now'>): Promise<void> {
  const nowMs = deps.now();
  await forEachIndependently(
    await dueFiles(deps.database, nowMs, AT_ONCE),
    'files could not be removed',
    async (due) => {
      const file = await deps.database.transaction((tx) => claimFile(tx, due, nowMs));
      if (file) await removeFile(deps, file);
    },
  );
}
