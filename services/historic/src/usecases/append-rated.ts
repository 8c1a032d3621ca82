import type { LogEntry } from '@catchment/ingest-log';
import { contentTimes, withoutContentAt } from '../domain/pick-records.ts';
import type { DailyLimits } from './daily-limits.ts';
import type { RateDeps } from './rate-series.ts';

/** Longest wait for a turn at a source that is near its limit. */
const TURN_LIMIT_MS = 10_000;

/** Appends what a rating has computed as far as the storage limit of its source lets it (docs/reference/writing.md#daily-limits). */
export const appendRated =
  (
    limits: Pick<DailyLimits, 'within'>,
    append: (sourceId: string, entries: readonly LogEntry[]) => Promise<void>,
  ): RateDeps['append'] =>
  ({ sourceId, ownerId }, entries) => {
    const columns = entries.flatMap((entry) => (entry.kind === 'column' ? [entry.column] : []));
    return limits.within(
      [{ sourceId, ownerId, times: contentTimes(columns), isComputed: true }],
      ([dropped]) => append(sourceId, dropped?.size ? entries.map((entry) => without(entry, dropped)) : entries),
      TURN_LIMIT_MS,
    );
  };

function without(entry: LogEntry, dropped: ReadonlySet<number>): LogEntry {
  if (entry.kind !== 'column') return entry;
  const [kept] = withoutContentAt([entry.column], (timeMs) => dropped.has(timeMs));
  return { kind: 'column', column: { ...entry.column, ...kept } };
}
