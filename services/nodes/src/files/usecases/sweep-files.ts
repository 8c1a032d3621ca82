import { forEachIndependently } from '../../usecases/for-each-independently.ts';
import { dueFiles } from '../store/files-query.ts';
import { type FileDeps, removeFile } from './file-store.ts';
import type { FileList } from './ports.ts';

/** Files in one pass; the next pass takes more. */
const AT_ONCE = 100;

/**
 * Removes the bytes of files that no node names any more, and of uploads of which nothing has come for a while. Any replica may
 * do it, at any time; an interrupted pass is completed by the next.
 */
export async function sweepFiles(list: FileList, deps: Pick<FileDeps, 'database' | 'objects' | 'now'>): Promise<void> {
  const nowMs = deps.now();
  await forEachIndependently(
    await dueFiles(deps.database, nowMs, AT_ONCE),
    'files could not be removed',
    async (due) => {
      const file = await deps.database.transaction((tx) => list.claimFile(tx, due, nowMs));
      if (file) await removeFile(list, deps, file);
    },
  );
}
