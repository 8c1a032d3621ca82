import { WriteMode } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { partitionOf } from '@catchment/ids';
import type { LogEntry } from '@catchment/ingest-log';
import { type BuiltColumn, contentTimes, isAllContent, rowCount, withoutContentAt } from '../../records/index.ts';
import type { LeftOut, WriteFacts } from './log-entries.ts';
import { appendTo, type WriteCall, type WriteDeps } from './write-deps.ts';

/** One request has these columns for one source; a Location is its own source. */
export type SourceWrite = {
  readonly sourceId: string;
  readonly ownerId: string;
  /** The windows of the data source hold. */
  readonly source: NodeConfig | undefined;
  readonly columns: readonly BuiltColumn[];
  /** Rows with delete markers count too. */
  readonly rows: number;
  /** Returns the log's entries for the records that were let through. */
  readonly toEntries: (columns: readonly BuiltColumn[], did: { readonly rows: number } & LeftOut) => LogEntry[];
};

/** Longest wait for other writes of a source that is near its limit. */
const TURN_LIMIT_MS = 10_000;
const ONLY_DELETES: ReadonlySet<WriteMode> = new Set([WriteMode.WRITE_MODE_DELETE, WriteMode.WRITE_MODE_DELETE_RANGE]);
/** In these modes records also go that the request has content for, or does not name. */
const DELETING: ReadonlySet<WriteMode> = new Set([...ONLY_DELETES, WriteMode.WRITE_MODE_INSERT_DELETE_EXISTING]);

/**
 * Appends what the sources' windows (docs/reference/alarms.md#conditions, data) and daily limits
 * (docs/reference/writing.md#daily-limits) let through; refused records are counted in the acquisition. Deletes pass in any case.
 * @returns rows appended
 * @throws DomainError unavailable
 */
export async function admitWrites(
  deps: WriteDeps,
  writes: readonly SourceWrite[],
  facts: WriteFacts,
  call: WriteCall,
): Promise<number> {
  const isDelete = ONLY_DELETES.has(facts.writeMode);
  const inWindow = writes.map((write) =>
    isDelete || facts.isImport ? { ...write, excluded: 0 } : withinWindow(write, facts.modifiedMs),
  );
  const times = inWindow.map(({ columns }) => (isDelete ? NO_TIMES : contentTimes(columns)));
  let appended = 0;
  await deps.limits.within(
    inWindow.map(({ sourceId, ownerId }, n) => ({
      sourceId,
      ownerId,
      times: times[n] ?? NO_TIMES,
      acquisitionId: facts.acquisitionId,
      isUnlimitedByArrival: facts.isImport,
    })),
    async (dropped) => {
      const byPartition = new Map<number, { sourceId: string; entries: LogEntry[] }>();
      appended = 0;
      for (const [n, write] of inWindow.entries()) {
        const over = dropped[n] ?? new Set<number>();
        const columns = over.size === 0 ? write.columns : withoutContentAt(write.columns, (timeMs) => over.has(timeMs));
        const isWhole = write.excluded + over.size === 0;
        const rows = isWhole ? write.rows : rowCount(columns);
        appended += rows;
        const entries = write.toEntries(columns, { rows, excluded: write.excluded, dropped: over.size });
        const partition = partitionOf(write.sourceId, deps.partitions);
        const part = byPartition.get(partition) ?? { sourceId: write.sourceId, entries: [] };
        part.entries.push(...entries);
        byPartition.set(partition, part);
      }
      // All are awaited, so that one failure is reported when the outcome of every other one is known too.
      const parts = [...byPartition.values()].filter(({ entries }) => entries.length > 0);
      const settled = await Promise.allSettled(
        parts.map(({ sourceId, entries }) => appendTo(deps, sourceId, entries, call)),
      );
      const refused = settled.find((outcome) => outcome.status === 'rejected');
      if (refused) throw refused.reason;
    },
    TURN_LIMIT_MS,
  );
  const emptied = writes.filter(({ columns }) => mayDelete(columns, facts.writeMode)).map(({ sourceId }) => sourceId);
  if (emptied.length > 0) deps.limits.forget(emptied);
  return appended;
}

/** Returns whether records that were in the store may be gone afterwards. */
const mayDelete = (columns: readonly BuiltColumn[], writeMode: WriteMode): boolean =>
  DELETING.has(writeMode) || !columns.every(isAllContent);

const NO_TIMES = new Float64Array(0);

function withinWindow(write: SourceWrite, nowMs: number): SourceWrite & { readonly excluded: number } {
  const { excludeBeforeSeconds: before, excludeAfterSeconds: after } = write.source?.source ?? {};
  if (before === undefined && after === undefined) return { ...write, excluded: 0 };
  const fromMs = before === undefined ? Number.NEGATIVE_INFINITY : nowMs - before * 1_000;
  const toMs = after === undefined ? Number.POSITIVE_INFINITY : nowMs + after * 1_000;
  const isOutside = (timeMs: number) => timeMs < fromMs || timeMs > toMs;
  const excluded = contentTimes(write.columns).filter(isOutside).length;
  return { ...write, columns: excluded === 0 ? write.columns : withoutContentAt(write.columns, isOutside), excluded };
}

/**
 * Returns the data source of a parameter, as far as this service knows it, which is within a second of its creation; a
 * Location has none.
 */
export const sourceOf = async (
  { catalogue }: Pick<WriteDeps, 'catalogue'>,
  { nodeId, sourceId, ownerId }: NodeConfig,
): Promise<NodeConfig | undefined> => (sourceId === nodeId ? undefined : catalogue.findKnown(sourceId, ownerId));
