import type { LogEntry } from '@catchment/ingest-log';
import { contentTimes, withoutContentAt } from '../domain/pick-records.ts';
import type { DailyLimits } from './daily-limits.ts';

/** Longest wait for a turn at a source that is near its limit. */
const TURN_LIMIT_MS = 10_000;

type Target = { readonly sourceId: string; readonly ownerId: string };
type AppendEntries = (sourceId: string, entries: readonly LogEntry[]) => Promise<void>;

/**
 * Appends what a rating or a program has computed as far as the storage limit of its source lets it
 * (docs/reference/writing.md#daily-limits).
 * @param also entries that follow the columns
 */
export async function appendComputed(
  limits: Pick<DailyLimits, 'within' | 'forget'>,
  append: AppendEntries,
  { sourceId, ownerId }: Target,
  entries: readonly LogEntry[],
  also: (kept: readonly LogEntry[], dropped: number) => readonly LogEntry[] = () => [],
): Promise<void> {
  const columns = entries.flatMap((entry) => (entry.kind === 'column' ? [entry.column] : []));
  await limits.within(
    [{ sourceId, ownerId, times: contentTimes(columns), isUnlimitedByArrival: true }],
    async ([dropped]) => {
      const kept = dropped?.size ? entries.map((entry) => without(entry, dropped)) : entries;
      await append(sourceId, [...kept, ...also(kept, dropped?.size ?? 0)]);
    },
    TURN_LIMIT_MS,
  );
  if (entries.some(({ kind }) => kind === 'seriesDelete')) limits.forget([sourceId]);
}

function without(entry: LogEntry, dropped: ReadonlySet<number>): LogEntry {
  if (entry.kind !== 'column') return entry;
  const [kept] = withoutContentAt([entry.column], (timeMs) => dropped.has(timeMs));
  return { kind: 'column', column: { ...entry.column, ...kept } };
}
