import type { EventRetention } from './ports.ts';

const DAY_MS = 86_400_000;
/** The bus keeps domain messages for a week: after this time no event of a deleted node can come any more. */
const DELETED_NODES_DAYS = 30;

/** Periodic work: partitions are created months ahead, old DEBUG events are removed (docs/reference/events.md#queries). */
export async function sweep(
  deps: { readonly retention: EventRetention; readonly debugRetentionDays: number },
  nowMs: number,
): Promise<number> {
  await deps.retention.makeMonthsAhead(nowMs);
  return deps.retention.purge({
    debugMs: nowMs - deps.debugRetentionDays * DAY_MS,
    deletedNodesMs: nowMs - DELETED_NODES_DAYS * DAY_MS,
  });
}
