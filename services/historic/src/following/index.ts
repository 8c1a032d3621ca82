import type { Database } from '@catchment/pg';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { type Follow, followConfiguration } from './bus/follow-nodes.ts';
import { purgeTombstones } from './store/pg-tombstones.ts';

const PURGE_EVERY_MS = 3_600_000;

type FollowingDeps = Omit<Follow, 'now'> & {
  readonly database: Database;
  /** Messages of the ingest log that are not stored yet. */
  readonly backlog: () => Promise<number>;
  readonly log: Logger;
};

/** Keeps the copy of nodes current, and removes the marks of nodes that were deleted long ago. */
export function openFollowing({ backlog, log, ...deps }: FollowingDeps) {
  const follower = followConfiguration({ ...deps, now: Date.now });
  const purge = repeat(() => purgeTombstones(deps.database, backlog), {
    everyMs: PURGE_EVERY_MS,
    failed: 'old rows could not be removed, trying again later',
    log,
  });
  return { stop: () => Promise.all([follower.stop(), purge.stop()]) };
}
