import { DomainError } from '@catchment/errors';
import { decodeBatch, encodeEntries } from './codec.ts';
import { type Column, type ColumnPart, joinColumns } from './column.ts';

/** Returns whether a column that spans messages is whole with this part. */
const isLastPart = ({ part, parts }: ColumnPart): boolean => part === parts - 1;

/** Returns a part of a column as it is kept until the last one comes. */
const keptPart = ({ column }: ColumnPart): Uint8Array =>
  encodeEntries([{ kind: 'column', column }], Number.MAX_SAFE_INTEGER, () => '')[0] ?? new Uint8Array(0);

/**
 * Returns the whole column, where its last part has come.
 * @param kept the parts before it, in order, as `keptPart` makes them
 * @returns undefined where parts are missing
 */
function wholeColumn(kept: readonly Uint8Array[], last: ColumnPart): Column | undefined {
  const earlier = kept
    .flatMap((data) => decodeBatch(data))
    .flatMap((change) => (change.kind === 'column' ? [change.column] : []));
  if (earlier.length !== last.parts - 1) return undefined;
  const [first = last.column, ...others] = [...earlier, last.column];
  return joinColumns([first, ...others]);
}

/** Keeps the parts of columns for a reader of the log until their last ones come. */
export type ColumnParts = {
  /** The same part may come twice. */
  stagePart(part: { readonly columnKey: string; readonly part: number; readonly data: Uint8Array }): Promise<void>;
  /** The staged parts of a column, in order. */
  partsOf(columnKey: string): Promise<readonly Uint8Array[]>;
  /** The reader keeps nothing of columns that do not concern it: one that began before it did is passed over. */
  readonly mayMiss?: boolean;
};

/**
 * Takes a part of a column.
 * @returns the whole column with its last part; undefined before, and for one that is passed over
 * @throws DomainError failed_precondition where parts are missing
 */
export async function joinPart(columnPart: ColumnPart, parts: ColumnParts): Promise<Column | undefined> {
  const { columnKey, part } = columnPart;
  if (!isLastPart(columnPart)) {
    await parts.stagePart({ columnKey, part, data: keptPart(columnPart) });
    return undefined;
  }
  const column = wholeColumn(await parts.partsOf(columnKey), columnPart);
  if (!column && !parts.mayMiss)
    throw new DomainError('failed_precondition', 'COLUMN_PARTS_MISSING', `column ${columnKey}: parts are missing`);
  return column;
}
