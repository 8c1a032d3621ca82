import type { DeadLetter, PARTITION_READERS } from '@catchment/bus';
import { decodeBatch, encodeEntries, fillingGaps } from '@catchment/ingest-log';

const WRITER = 'writer' satisfies keyof typeof PARTITION_READERS;

/**
 * The content with which a letter is tried again; undefined for its own. Only the writer of records could put something old over
 * something new (docs/reference/guarantees.md#dead-letters).
 * @throws Error when that cannot be avoided and is not wanted
 */
export function retryContent(
  { reader, number }: DeadLetter,
  data: Uint8Array,
  { overwrite }: { readonly overwrite: boolean },
): Uint8Array | undefined {
  if (overwrite || !reader.startsWith(`${WRITER}-`)) return undefined;
  const gentle = fillingGaps(decodeBatch(data));
  if (!gentle)
    throw new Error(
      `Dead letter ${number} deletes or changes records, or is a part of a column. Applied now, it would do that to what was written after it, too. If you want that: --overwrite.`,
    );
  const [content] = encodeEntries(gentle, Number.MAX_SAFE_INTEGER, () => '');
  return content;
}
