import { NotifyOn } from '@catchment/contracts/ingest';
import type { Column, LogEntry } from '@catchment/ingest-log';
import type { DailyLimits } from '../../limits/index.ts';
import { contentTimes, withoutContentAt } from '../../records/index.ts';
import { acquisitionEntry } from './log-entries.ts';

/** Longest wait for other writes of a source that is near its limit. */
const TURN_LIMIT_MS = 10_000;

type Target = { readonly sourceId: string; readonly ownerId: string };
type AppendEntries = (sourceId: string, entries: readonly LogEntry[]) => Promise<unknown>;

/**
 * Appends what a rating or a program has computed as far as the storage limit of its source lets it
 * (docs/reference/writing.md#daily-limits). What is dropped raises the overloadAlarm of the source.
 * @param also entries that follow the columns, of which one says what was dropped; absent: what is dropped has an entry of its own
 */
export async function appendComputed(
  limits: Pick<DailyLimits, 'within' | 'forget'>,
  append: AppendEntries,
  { sourceId, ownerId }: Target,
  entries: readonly LogEntry[],
  also?: (kept: readonly LogEntry[], dropped: number) => readonly LogEntry[],
): Promise<void> {
  const columns = entries.flatMap((entry) => (entry.kind === 'column' ? [entry.column] : []));
  await limits.within(
    [{ sourceId, ownerId, times: contentTimes(columns), isUnlimitedByArrival: true }],
    async ([dropped]) => {
      const kept = dropped?.size ? entries.map((entry) => without(entry, dropped)) : entries;
      const count = dropped?.size ?? 0;
      await append(sourceId, [...kept, ...(also ? also(kept, count) : overload(columns, count))]);
    },
    TURN_LIMIT_MS,
  );
  if (entries.some(({ kind }) => kind === 'seriesDelete')) limits.forget([sourceId]);
}

/** A computed write is no acquisition: it counts nothing, and says nothing of the source's data and connection. */
function overload([first]: readonly Column[], dropped: number): LogEntry[] {
  if (!first || dropped === 0) return [];
  const { sourceId, ownerId, workspaceId, username, modifiedMs } = first;
  const target = { nodeId: sourceId, sourceId, ownerId, workspaceId };
  const did = { isSource: false, rows: 0, parameters: 0, origin: '', dropped, continues: true, deliveries: 0 };
  return [acquisitionEntry(target, did, { notifyOn: NotifyOn.NOTIFY_ON_ALL_NEWER, username, modifiedMs })];
}

function without(entry: LogEntry, dropped: ReadonlySet<number>): LogEntry {
  if (entry.kind !== 'column') return entry;
  const [kept] = withoutContentAt([entry.column], (timeMs) => dropped.has(timeMs));
  return { kind: 'column', column: { ...entry.column, ...kept } };
}
