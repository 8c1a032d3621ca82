import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { isObjectId } from '@catchment/ids';
import type { Logger } from '@catchment/telemetry';
import { DAY_MS } from '@catchment/time';
import type { ExistingRecords } from '../../records/index.ts';
import type { SourceDay } from '../domain/source-days.ts';

export type DayTimesDeps = {
  /** The series of a source. */
  readonly nodesOf: (source: Pick<NodeConfig, 'sourceId' | 'ownerId'>, limit: number) => Promise<readonly NodeConfig[]>;
  readonly existing: Pick<ExistingRecords, 'timesIn'>;
  /** Messages of the log that are on their way to where these series are. */
  readonly backlog: (nodeIds: readonly string[]) => Promise<number>;
  readonly log: Pick<Logger, 'warn'>;
};

const MAX_SERIES = 1_000;
const CAUGHT_UP_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;
const READ_LIMIT_MS = 10_000;

/**
 * Returns the times of all records that a source has on a day (UTC), once the writer has stored what the log has. Undefined when
 * it lags, the store is away, or a series has too many records.
 */
export const dayTimes =
  ({ nodesOf, existing, backlog, log }: DayTimesDeps) =>
  async ({ sourceId, day }: SourceDay, ownerId: string): Promise<ReadonlySet<number> | undefined> => {
    const signal = AbortSignal.timeout(READ_LIMIT_MS);
    const range = { fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS - 1 };
    try {
      if (!isObjectId(sourceId)) return undefined;
      const series = (await nodesOf({ sourceId, ownerId }, MAX_SERIES)).filter((node) => node.series);
      const nodeIds = [sourceId, ...series.map((node) => node.nodeId)];
      if (!(await isCaughtUp(() => backlog(nodeIds)))) return undefined;
      const times = new Set<number>();
      for (const nodeId of nodeIds) {
        const found = await existing.timesIn(nodeId, range, signal);
        if (!found) return undefined;
        for (const time of found) times.add(time);
      }
      return times;
    } catch (err) {
      // The count so far has to do, which is never too low.
      log.warn({ err, sourceId, day }, 'records of a day could not be read, the count so far is used');
      return undefined;
    }
  };

async function isCaughtUp(backlog: () => Promise<number>): Promise<boolean> {
  const untilMs = performance.now() + CAUGHT_UP_WITHIN_MS;
  while ((await backlog()) > 0) {
    if (performance.now() > untilMs) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}
