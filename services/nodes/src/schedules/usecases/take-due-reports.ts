import { appendOutbox } from '@catchment/pg';
import { formatIsoMs } from '@catchment/time';
import type { StoreDeps } from '../../changes/index.ts';
import { tickOf } from '../domain/tick.ts';
import { dueReports, lockDue } from '../store/schedules-query.ts';
import type { SaveTicks } from './ports.ts';
import { reportEvent } from './report-event.ts';

/** Reports in one pass. */
const AT_ONCE = 100;

/**
 * Looks at reports that are due, or whose schedule has changed: stores when they are due next, and that they are to be made. Any replica
 * may do it, at any time.
 * @returns whether there may be more to do
 */
export function takeDueReports(
  saveTicks: SaveTicks,
  { database, now }: Pick<StoreDeps, 'database' | 'now'>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const nowMs = now();
    const nodeIds = await lockDue(tx, nowMs, AT_ONCE);
    if (nodeIds.length === 0) return false;
    const taken = (await dueReports(tx, nodeIds)).map((report) => ({ report, tick: tickOf(report, nowMs) }));
    await saveTicks(
      tx,
      taken.map(({ report: { nodeId, ownerId }, tick }) => ({ nodeId, ownerId, ...tick })),
    );
    const missed = taken.flatMap(({ report, tick: { missedMs } }) =>
      missedMs === null ? [] : [reportEvent(report, 'WARNING', missedText(missedMs), nowMs)],
    );
    await appendOutbox(tx, missed);
    return nodeIds.length === AT_ONCE;
  });
}

export const missedText = (dueMs: number): string =>
  `Report not made: it was due at ${formatIsoMs(dueMs)}, an hour ago or more`;
