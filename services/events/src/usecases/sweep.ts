import type { EventRetention } from './ports.ts';

const DAY_MS = 86_400_000;
/** The bus keeps domain messages for a week: after this time no event of a deleted node can come any more. */
const DELETED_NODES_DAYS = 30;

/** Periodic work: partitions are created months ahead, old events are removed (docs/reference/events.md#queries). */
export async function sweep(
  deps: {
    readonly retention: EventRetention;
    readonly debugRetentionDays: number;
    /** Of all levels; 0 = for ever. */
    readonly retentionDays: number;
  },
  nowMs: number,
): Promise<number> {
  await deps.retention.makeMonthsAhead(nowMs);
  return deps.retention.purge({
    debugMs: nowMs - deps.debugRetentionDays * DAY_MS,
    allMs: deps.retentionDays > 0 ? nowMs - deps.retentionDays * DAY_MS : undefined,
    deletedNodesMs: nowMs - DELETED_NODES_DAYS * DAY_MS,
  });
}
