import { WriteMode } from '@catchment/contracts/ingest';
import { type Column, FLAG, flagsAt, type LogEntry } from '@catchment/ingest-log';
import { formatIsoMs } from '@catchment/time';

const DAY_MS = 86_400_000;
const STORES_NOTHING: readonly WriteMode[] = [
  WriteMode.WRITE_MODE_DELETE,
  WriteMode.WRITE_MODE_DELETE_RANGE,
  WriteMode.WRITE_MODE_DISCARD,
];

/** This record lies more than a day ahead of the moment when it was accepted. */
export type AheadRecord = {
  readonly sourceId: string;
  readonly ownerId: string;
  readonly recordMs: number;
  readonly acceptedMs: number;
};

/** The farthest of such records for each source; none for most messages, at the cost of a comparison for each column. */
export function recordsAhead(entries: readonly LogEntry[]): AheadRecord[] {
  const found = new Map<string, AheadRecord>();
  for (const entry of entries) {
    const column = entry.kind === 'column' ? entry.column : entry.kind === 'columnPart' ? entry.part.column : undefined;
    const recordMs = column && farthestMs(column);
    if (!column || recordMs === undefined) continue;
    const { sourceId, ownerId, modifiedMs: acceptedMs } = column;
    if (recordMs > (found.get(sourceId)?.recordMs ?? Number.NEGATIVE_INFINITY))
      found.set(sourceId, { sourceId, ownerId, recordMs, acceptedMs });
  }
  return [...found.values()];
}

function farthestMs(column: Column): number | undefined {
  const { timestamps, modifiedMs, writeMode } = column;
  if (STORES_NOTHING.includes(writeMode)) return undefined;
  for (let index = timestamps.length - 1; index >= 0; index -= 1) {
    const timeMs = timestamps[index] ?? 0;
    if (timeMs <= modifiedMs + DAY_MS) return undefined;
    if ((flagsAt(column, index) & FLAG.value) !== 0) return timeMs;
  }
  return undefined;
}

/** Returns the UTC day on which it came. */
export const dayOf = ({ acceptedMs }: AheadRecord): number => Math.floor(acceptedMs / DAY_MS);

/** See docs/reference/writing.md#notifyon. */
export const aheadText = ({ recordMs }: AheadRecord): string =>
  `A record of ${formatIsoMs(recordMs)} lies more than a day ahead: until then it is the current one, and no older record changes a state. Set dataAlarm.excludeAfterSeconds of the source to leave such records out`;
