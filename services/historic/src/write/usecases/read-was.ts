import { DomainError, invalid, tooLarge } from '@catchment/errors';
import { inSlices } from '@catchment/fair-queue';
import type { BuiltColumn } from '../../records/index.ts';
import type { SeriesNode } from '../../series/index.ts';
import { parseRecords } from '../domain/jts-records.ts';

/** A write that says what was there has at most this many records: the writer reads each of them, and all others of its partition wait. */
const MAX_EXPECTED = 5_000;

/**
 * Attribute `was` of a document: its records as `data` has them.
 * @param data what is to be written
 * @throws DomainError invalid_argument, too_large
 */
export async function readWas(
  rows: readonly unknown[],
  index: number,
  { series }: SeriesNode,
  data: BuiltColumn,
): Promise<BuiltColumn> {
  if (data.timestamps.length > MAX_EXPECTED)
    throw tooLarge(`data: must have at most ${MAX_EXPECTED} records where there is was`);
  const target = { index, valueType: series.valueType, qualityOf: undefined };
  const { columns } = await inSlices(parseRecords(rows, [target], 'ignored')).catch((error: unknown) => {
    // The rules are those of data, in another part of the document.
    throw error instanceof DomainError && error.kind === 'invalid_argument'
      ? invalid('INVALID_BODY', error.message.replace(/^data/, 'was'))
      : error;
  });
  const [was] = columns as readonly [BuiltColumn];
  const written = new Set(data.timestamps);
  const other = was.timestamps.find((time) => !written.has(time));
  if (other !== undefined)
    throw invalid('INVALID_BODY', `was: has a record at ${new Date(other).toISOString()}, which data does not have`);
  return was;
}
