import { DomainError } from '@catchment/errors';
import { decodeBatch, encodeEntries } from './codec.ts';
import { fillingGaps } from './late.ts';

/** Readers that apply what the log says to the store of records; each partition has one. */
const WRITER = 'writer-';

type Letter = { readonly reader: string; readonly number: number };

/**
 * Returns the content with which a dead letter is tried again; undefined for its own. Only the writer of records could put something old
 * over something new (docs/reference/guarantees.md#dead-letters).
 * @throws DomainError failed_precondition when that cannot be avoided and is not wanted
 */
export function retryContent(
  { reader, number }: Letter,
  data: Uint8Array,
  { overwrite }: { readonly overwrite: boolean },
): Uint8Array | undefined {
  if (overwrite || !reader.startsWith(WRITER)) return undefined;
  const gentle = fillingGaps(decodeBatch(data));
  if (!gentle)
    throw new DomainError(
      'failed_precondition',
      'LETTER_OVERWRITES',
      `Dead letter ${number} deletes or changes records, or is a part of a column. Applied now, it would do that to what was written after it, too. If you want that: catchment deadletters retry ${number} --overwrite.`,
    );
  const [content] = encodeEntries(gentle, Number.MAX_SAFE_INTEGER, () => '');
  return content;
}
