import { type ColumnEffect, effectOf, isRemoval, type LogEntry, needsVerdict } from '@catchment/ingest-log';

/** The entry has its place in the log, and can be evaluated. */
export type PlacedEntry = EntryPlace & {
  readonly nodeId: string;
  readonly entry: Extract<LogEntry, { kind: 'column' | 'seriesDelete' }>;
  /** Its message came to the log at this time, Unix ms by the broker's clock. */
  readonly messageMs: number;
  /** Historic says by these bits which records it wrote. */
  readonly written?: Uint8Array | undefined;
};
/** A place in a partition; `index` counts in the message, for a column that spans messages in that of its last part. */
export type EntryPlace = { readonly sequence: number; readonly index: number };

/** An entry may fill the place of a range that is removed. */
export type Unit = { readonly placed: PlacedEntry; readonly removal?: PlacedEntry };

/**
 * The removal of a range and what the same message puts in its place are one change: nothing was gone in between. Each series keeps the
 * order of the log.
 */
export function filledRemovals(entries: readonly PlacedEntry[]): readonly Unit[] {
  const units: Unit[] = [];
  const newest = new Map<string, number>();
  for (const placed of entries) {
    const at = newest.get(placed.nodeId) ?? -1;
    const before = units[at]?.placed;
    if (before && isFilledBy(before, placed)) {
      units[at] = { placed, removal: before };
      continue;
    }
    newest.set(placed.nodeId, units.push({ placed }) - 1);
  }
  return units;
}

function isFilledBy(before: PlacedEntry, { sequence, entry }: PlacedEntry): boolean {
  if (before.sequence !== sequence || before.entry.kind !== 'column' || entry.kind !== 'column') return false;
  if (before.entry.column.notifyOn !== entry.column.notifyOn || needsVerdict(entry.column)) return false;
  return removalOf(before) !== undefined;
}

/** Returns the effect of an entry that removes a range and puts nothing in its place. */
export function removalOf({ entry }: PlacedEntry): ColumnEffect | undefined {
  return entry.kind === 'column' && isRemoval(entry.column) ? effectOf(entry.column, undefined) : undefined;
}
