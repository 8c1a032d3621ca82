import type { DaysOf } from '@catchment/node-replica';
import type { EventRetention } from './ports.ts';

const DAY_MS = 86_400_000;
/** The bus keeps domain messages for a week: after this time no event of a deleted node can come any more. */
const DELETED_NODES_DAYS = 30;

/**
 * Periodic work: partitions are created months ahead, old events are removed (docs/reference/events.md#queries). While
 * it is not known how long an account keeps its events, none but DEBUG ones are. The next sweep does what a stopped
 * sweep leaves.
 */
export async function sweep(
  deps: {
    readonly retention: EventRetention;
    readonly debugRetentionDays: number;
    /** Returns how long events of all levels are kept. */
    readonly daysOf: () => Promise<DaysOf>;
  },
  nowMs: number,
  stopping: AbortSignal,
): Promise<number> {
  const { retention } = deps;
  await retention.makeMonthsAhead(nowMs);
  const removed = await retention.purge(
    {
      debugMs: nowMs - deps.debugRetentionDays * DAY_MS,
      deletedNodesMs: nowMs - DELETED_NODES_DAYS * DAY_MS,
    },
    stopping,
  );
  if (stopping.aborted) return removed;
  const { installation, own } = await deps.daysOf();
  const before = (days: number) => (days > 0 ? nowMs - days * DAY_MS : undefined);
  const ends = new Map([...own].map(([ownerId, days]) => [ownerId, before(days)]));
  return removed + (await retention.purgeStoredBefore({ allMs: before(installation), own: ends }, stopping));
}
