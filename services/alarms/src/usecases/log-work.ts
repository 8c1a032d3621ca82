import type { LogEntry } from '@catchment/ingest-log';
import type { KnownNodes } from './ports.ts';

type SeriesEntry = Extract<LogEntry, { kind: 'column' | 'columnPart' | 'seriesDelete' }>;

/** Returns the node of an entry that may bear on states and qualities, undefined for all others. */
export function seriesOf(entry: LogEntry): { nodeId: string; ownerId: string } | undefined {
  switch (entry.kind) {
    case 'column':
      return entry.column;
    case 'columnPart':
      return entry.part.column;
    case 'seriesDelete':
      return entry.seriesDelete;
    default:
      // Deleted nodes come by the domain events of the nodes service; acquisitions concern nodes.
      return undefined;
  }
}

export type IndexedEntry = { readonly index: number; readonly entry: SeriesEntry };

/**
 * Returns the entries of a message that something has to be done for, with their index in it; most messages have none.
 * @param emptied series that an entry before, not applied yet, empties: their next value is announced again; those of the message are added
 */
export async function entriesToApply(
  entries: readonly LogEntry[],
  known: KnownNodes,
  emptied: Set<string>,
  signal: AbortSignal,
): Promise<IndexedEntry[]> {
  await makeKnown(
    entries.flatMap((entry) => seriesOf(entry) ?? []),
    known,
    signal,
  );
  return entries.flatMap((entry, index) => {
    const series = seriesOf(entry);
    if (!series) return [];
    const kind = known.kind(series.nodeId);
    const isSettled = known.isSettled(series.nodeId) && !emptied.has(series.nodeId);
    const isNews = kind === 'normal' && (entry.kind === 'seriesDelete' || !isSettled);
    if (entry.kind === 'seriesDelete') emptied.add(series.nodeId);
    return kind === 'evaluated' || isNews ? [{ index, entry: entry as SeriesEntry }] : [];
  });
}

export async function makeKnown(
  series: readonly { readonly nodeId: string; readonly ownerId: string }[],
  known: KnownNodes,
  signal: AbortSignal,
): Promise<void> {
  const unknown = new Map(
    series.filter(({ nodeId }) => known.kind(nodeId) === undefined).map((entry) => [entry.nodeId, entry]),
  );
  if (unknown.size > 0) await known.load([...unknown.values()], signal);
}
