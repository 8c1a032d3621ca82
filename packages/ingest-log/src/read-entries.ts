import type { Column, LogEntry } from './column.ts';
import { needsVerdict } from './effect.ts';
import { type ColumnParts, joinPart } from './parts.ts';

type PartEntry = Extract<LogEntry, { kind: 'columnPart' }>;
type ColumnEntry = { readonly kind: 'column'; readonly column: Column };

/** An entry of a message comes with all that is known of its effect. */
export type ReadEntry<E extends LogEntry = LogEntry> = {
  /** The index in the message. */
  readonly index: number;
  /** A column that spans messages is whole, in the place of its last part. */
  readonly entry: Exclude<E, PartEntry> | ColumnEntry;
  /** The writer gave this answer about a column that needs it (`effectOf`); undefined while there is none. */
  readonly written?: Uint8Array | undefined;
};

/** A reader of the log keeps this until it is needed. */
export type KeptForReader = {
  readonly parts: ColumnParts;
  /** Reads what the writer has said of columns of the message, by the index of their entries. Asked for only where one needs it. */
  readonly written: () => Promise<ReadonlyMap<number, Uint8Array>>;
};

/**
 * Reads entries of a message of the log, in order. Parts of columns before the last ones are kept, and are not among them.
 * @throws DomainError failed_precondition where parts of a column are missing
 */
export async function readEntries<E extends LogEntry>(
  entries: Iterable<{ readonly index: number; readonly entry: E }>,
  { parts, written }: KeptForReader,
): Promise<ReadEntry<E>[]> {
  const read: ReadEntry<E>[] = [];
  for (const { index, entry } of entries) {
    const column = entry.kind === 'columnPart' ? await joinPart(entry.part, parts) : undefined;
    if (column) read.push({ index, entry: { kind: 'column', column } });
    else if (entry.kind !== 'columnPart') read.push({ index, entry: entry as Exclude<E, PartEntry> });
  }
  if (!read.some(isUndecided)) return read;
  const said = await written();
  return read.map((entry) => (isUndecided(entry) ? { ...entry, written: said.get(entry.index) } : entry));
}

const isUndecided = ({ entry }: ReadEntry): boolean => entry.kind === 'column' && needsVerdict(entry.column);
