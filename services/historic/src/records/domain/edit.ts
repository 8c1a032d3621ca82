import type { EditedRecords } from '@catchment/contracts/ingest';
import { WriteMode } from '@catchment/contracts/ingest';
import { type Column, FLAG, flagsAt } from '@catchment/ingest-log';

/** A write has this effect on the records of a column (docs/reference/writing.md#edits). */
export type Edit = { readonly inserted: EditedRecords; readonly modified: EditedRecords; readonly deleted: number };

const PRESENT = FLAG.value | FLAG.quality | FLAG.annotation;
const SENT = {
  values: FLAG.value | FLAG.valueNull,
  qualities: FLAG.quality | FLAG.qualityNull,
  annotations: FLAG.annotation | FLAG.annotationNull,
} as const;
type Part = keyof typeof SENT;

/** Returns whether a write mode edits history. */
export const isEditMode = (mode: WriteMode): boolean =>
  mode === WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING || mode === WriteMode.WRITE_MODE_DELETE;

/** @param presence parts of the stored records at the times of the column, 0 = no record */
export function editOf(column: Column, presence: Uint8Array): Edit {
  const [inserted, modified] = [none(), none()];
  let deleted = 0;
  const isDelete = column.writeMode === WriteMode.WRITE_MODE_DELETE;
  for (let index = 0; index < column.timestamps.length; index += 1) {
    const flags = flagsAt(column, index);
    const before = presence[index] ?? 0;
    // The bits of a null lie three places above those of the part.
    const kept = before & ~((flags | (flags >> 3)) & PRESENT);
    const isGone = isDelete || (flags & FLAG.deleteMarker) !== 0 || (kept | (flags & PRESENT)) === 0;
    if (isGone) deleted += before === 0 ? 0 : 1;
    else count(before === 0 ? inserted : modified, flags, before === 0 ? PRESENT : ~0);
  }
  return { inserted, modified, deleted };
}

const none = (): EditedRecords => ({ records: 0, values: 0, qualities: 0, annotations: 0 });

/** @param counted flags of the parts that count: of a record that is new, a part that was sent as null does not */
function count(edited: EditedRecords, flags: number, counted: number): void {
  edited.records += 1;
  for (const part of Object.keys(SENT) as Part[]) if ((flags & counted & SENT[part]) !== 0) edited[part] += 1;
}
