import { WriteMode } from '@catchment/contracts/ingest';
import type { LogEntry } from './column.ts';

/** Modes that take nothing away from what the store has. */
const GENTLE: readonly WriteMode[] = [
  WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING,
  WriteMode.WRITE_MODE_MERGE_FAIL_ON_EXISTING,
  WriteMode.WRITE_MODE_INSERT_FAIL_ON_EXISTING,
  WriteMode.WRITE_MODE_DISCARD,
];

/**
 * Entries that are applied after later ones (docs/reference/guarantees.md#dead-letters), so that they replace nothing: what would overwrite
 * fills gaps. Undefined when that cannot be: they delete or change records, or are parts of a column.
 */
export function fillingGaps(entries: readonly LogEntry[]): LogEntry[] | undefined {
  const gentle: LogEntry[] = [];
  const modes = new Map<string, WriteMode>();
  for (const entry of entries) {
    if (entry.kind === 'acquisition' || entry.kind === 'nodesDelete') {
      gentle.push(entry);
      continue;
    }
    if (entry.kind !== 'column') return undefined;
    const { nodeId, writeMode } = entry.column;
    const overwrites = writeMode === WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING;
    if (!overwrites && !GENTLE.includes(writeMode)) return undefined;
    // The last of several writes to a series holds, so it comes first where gaps are filled: not with other modes
    // between them.
    if (modes.has(nodeId) && !(overwrites && modes.get(nodeId) === writeMode)) return undefined;
    modes.set(nodeId, writeMode);
    const gentleMode = overwrites ? WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING : writeMode;
    gentle.push({ kind: 'column', column: { ...entry.column, writeMode: gentleMode } });
  }
  return gentle.reverse();
}
