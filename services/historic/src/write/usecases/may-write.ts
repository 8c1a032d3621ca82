import { type Caller, checkPermission, may } from '@catchment/access';
import { WriteMode } from '@catchment/contracts/ingest';
import { FLAG } from '@catchment/ingest-log';
import type { BuiltColumn } from '../../records/index.ts';

const TOUCHES_VALUES = FLAG.value | FLAG.valueNull | FLAG.deleteMarker;

/**
 * Returns whether the caller's user may write records in a workspace at all
 * (docs/reference/people-and-security.md#permission-by-operation): with EDIT_QUALITY alone nothing but qualities and
 * annotations, which `checkColumns` settles once they have been read.
 * @throws DomainError permission_denied
 */
export const checkMayWrite = (caller: Caller, workspaceId: string): void =>
  checkPermission(caller, workspaceId, 'EDIT_DATA', 'EDIT_QUALITY');

/**
 * Refuses a write without EDIT_DATA unless it changes only qualities and annotations, in the mode that leaves parts that are not sent as
 * they are.
 * @throws DomainError permission_denied
 */
export function checkColumns(
  caller: Caller,
  workspaceId: string,
  writeMode: WriteMode,
  columns: readonly (Pick<BuiltColumn, 'flags'> | undefined)[],
): void {
  if (may(caller, workspaceId, 'EDIT_DATA')) return;
  const keepsValues =
    writeMode === WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING &&
    columns.every((column) => column?.flags.every((flags) => (flags & TOUCHES_VALUES) === 0) ?? true);
  checkPermission(caller, workspaceId, keepsValues ? 'EDIT_QUALITY' : 'EDIT_DATA');
}
