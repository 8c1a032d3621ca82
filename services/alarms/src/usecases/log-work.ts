import { ValueType } from '@catchment/contracts/nodes';
import type { Column, LogEntry } from '@catchment/ingest-log';
import type { KnownNodes } from './ports.ts';

type SeriesEntry = Extract<LogEntry, { kind: 'column' | 'columnPart' | 'seriesDelete' }>;

/** The node of an entry that may bear on states, undefined for all others. */
export function seriesOf(entry: LogEntry): { nodeId: string; ownerId: string } | undefined {
  switch (entry.kind) {
    case 'column':
      return hasStates(entry.column) ? entry.column : undefined;
    case 'columnPart':
      return hasStates(entry.part.column) ? entry.part.column : undefined;
    case 'seriesDelete':
      return entry.seriesDelete;
    default:
      // Deleted nodes come by the domain events of the nodes service; acquisitions concern nodes.
      return undefined;
  }
}

const hasStates = ({ valueType }: Column): boolean =>
  valueType === ValueType.VALUE_TYPE_NUMBER || valueType === ValueType.VALUE_TYPE_TEXT;

/** The entries of a message that something has to be done for; most messages have none. */
export async function entriesToApply(
  entries: readonly LogEntry[],
  known: KnownNodes,
  signal: AbortSignal,
): Promise<SeriesEntry[]> {
  const unknown = new Map<string, { nodeId: string; ownerId: string }>();
  for (const entry of entries) {
    const series = seriesOf(entry);
    if (series && known.kind(series.nodeId) === undefined) unknown.set(series.nodeId, series);
  }
  if (unknown.size > 0) await known.load([...unknown.values()], signal);
  return entries.filter((entry): entry is SeriesEntry => {
    const series = seriesOf(entry);
    if (!series) return false;
    const kind = known.kind(series.nodeId);
    if (kind === 'states') return true;
    return kind === 'normal' && (entry.kind === 'seriesDelete' || !known.isSettled(series.nodeId));
  });
}
