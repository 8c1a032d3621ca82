import { NotifyOn } from '@catchment/contracts/ingest';
import type { LogEntry } from '@catchment/ingest-log';
import type { DaysOf } from '@catchment/node-replica';
import { counter, type Logger } from '@catchment/telemetry';
import { MIN_RECORD_MS, rangeRemoval, type SeriesNode } from '../../series/index.ts';
import { cutoffMs, GRACE_MS, nextCutoffChangeMs } from '../domain/record-retention.ts';

/** The account's records are not kept for ever; see migrations/0017. */
type ExpiringAccount = {
  readonly ownerId: string;
  readonly days: number;
  readonly cutoffMs: number | undefined;
  readonly position: string;
  readonly series: number;
  /** The database's clock; Unix ms. */
  readonly databaseMs: number;
};

type SweepProgress = Pick<ExpiringAccount, 'cutoffMs' | 'position' | 'series'> & {
  readonly nextMs: number;
  /** The sweep came to its end. */
  readonly sweptToMs?: number;
};

/** A transaction holds an account: no other replica has it in hand. */
export type ExpiryStep = {
  readonly account: ExpiringAccount;
  /** Returns nodes of the account behind a position, and the position behind them; undefined at the end. */
  seriesAfter(position: string): Promise<{ readonly series: readonly SeriesNode[]; readonly last: string | undefined }>;
  save(progress: SweepProgress): Promise<void>;
};

export type ExpiringAccounts = {
  /**
   * Takes over how many days hold for each account now. One whose days are new, or others than before, waits until `nextMs`, and begins anew.
   * @returns these
   */
  follow(days: DaysOf, nextMs: number): Promise<readonly Pick<ExpiringAccount, 'ownerId' | 'days'>[]>;
  /** Runs work for the account that is due. @returns undefined where none is */
  step<T>(nowMs: number, work: (step: ExpiryStep) => Promise<T>): Promise<T | undefined>;
  /** The account is not looked at before. */
  defer(ownerId: string, untilMs: number): Promise<void>;
  /** Returns what holds for one account now, with `removedFromMs` while its days are new; undefined where its records are kept for ever. */
  of(ownerId: string): Promise<{ readonly days: number; readonly removedFromMs?: number } | undefined>;
  /** Returns whether any account is due so soon. */
  isDueWithin(nowMs: number, ms: number): Promise<boolean>;
};

export type ExpiryDeps = {
  readonly accounts: ExpiringAccounts;
  /** @throws DomainError unavailable: nothing is removed by an old answer */
  readonly daysOf: (signal: AbortSignal) => Promise<DaysOf>;
  /** Returns those of the series that have any record before a time. */
  readonly olderAmong: (
    nodeIds: readonly string[],
    beforeMs: number,
    signal: AbortSignal,
  ) => Promise<readonly string[]>;
  /** Appends to the partition of a source. */
  readonly append: (sourceId: string, entries: readonly LogEntry[]) => Promise<unknown>;
  /** Messages of the log that are on their way to the stores of these series. */
  readonly backlog: (nodeIds: readonly string[]) => Promise<number>;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

/** Each series costs InfluxDB a deletion, and the writer a question about what remains: some 10 ms. */
const SERIES_PER_STEP = 20;
const PAUSE_MS = 1_000;
/** The sweep of an account waits while so much is on its way to the store, so that it never delays what people write. */
const MAX_BACKLOG = 20;
/** The sweep waits for this long: the stores of others may have room. */
const BUSY_MS = 5_000;
/** This is well below the time after which a transaction that waits is ended. */
const STEP_LIMIT_MS = 15_000;
const RETRY_MS = 60_000;

const expired = counter({
  name: 'catchment_expired_series_total',
  help: 'Series that lost records because they were older than RECORD_DAYS; counted again in each sweep that removes some.',
});

/**
 * Removes records of some series of one account that are older than the account keeps them (docs/operations/retention.md,
 * docs/adr/0029-retention.md). They are removed by the log, as a write with DELETE_RANGE does it. A step that is repeated appends the same
 * again.
 * @returns whether there may be more to do now
 */
export async function expireRecords(deps: ExpiryDeps, stopping: AbortSignal): Promise<boolean> {
  const { accounts, log, now } = deps;
  for (const { ownerId, days } of await accounts.follow(await deps.daysOf(stopping), now() + GRACE_MS))
    log.warn({ ownerId, days, fromTime: new Date(now() + GRACE_MS) }, 'records of an account will be removed by age');
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(STEP_LIMIT_MS)]);
  let ownerId: string | undefined;
  const found = await accounts
    .step(now(), async (step) => {
      ownerId = step.account.ownerId;
      return sweepSome(deps, step, signal);
    })
    .catch(async (err: unknown) => {
      if (ownerId === undefined || stopping.aborted) throw err;
      // The InfluxDB of the account may be away: other accounts go on.
      log.warn({ err, ownerId }, 'old records of an account could not be removed, trying again');
      await accounts.defer(ownerId, now() + RETRY_MS);
      return 0;
    });
  if (stopping.aborted) return false;
  if (found === undefined && !(await accounts.isDueWithin(now(), BUSY_MS))) return false;
  if (found !== 0) await deps.pause(PAUSE_MS, stopping);
  return true;
}

/** @returns the series that had old records; 0 for an account that has to wait */
async function sweepSome(deps: ExpiryDeps, step: ExpiryStep, signal: AbortSignal): Promise<number> {
  const { account } = step;
  const { ownerId, days } = account;
  // A clock that is ahead would remove too much.
  const nowMs = Math.min(deps.now(), account.databaseMs);
  const beforeMs = account.cutoffMs ?? cutoffMs(days, nowMs);
  const { series, last } = await step.seriesAfter(account.position);
  const ids = series.map(({ nodeId }) => nodeId);
  if (ids.length > 0 && (await deps.backlog(ids)) > MAX_BACKLOG) {
    const { cutoffMs, position, series } = account;
    await step.save({ cutoffMs, position, series, nextMs: nowMs + BUSY_MS });
    return 0;
  }
  const older = new Set(ids.length > 0 ? await deps.olderAmong(ids, beforeMs, signal) : []);
  const all = series.filter(({ nodeId }) => older.has(nodeId));
  const some = all.slice(0, SERIES_PER_STEP);
  signal.throwIfAborted();
  await Promise.all(
    [...Map.groupBy(some, ({ sourceId }) => sourceId)].map(([sourceId, nodes]) =>
      deps.append(
        sourceId,
        nodes.map((node) => removalBefore(node, beforeMs, deps.now())),
      ),
    ),
  );
  expired.add({}, some.length);
  const removed = account.series + some.length;
  const position = some.length < all.length ? some.at(-1)?.nodeId : last;
  if (position !== undefined) {
    await step.save({ cutoffMs: beforeMs, position, series: removed, nextMs: nowMs });
    return some.length;
  }
  const nextMs = nextCutoffChangeMs(nowMs);
  await step.save({ cutoffMs: undefined, position: '', series: 0, nextMs, sweptToMs: beforeMs });
  if (removed > 0)
    deps.log.info({ ownerId, days, beforeTime: new Date(beforeMs), series: removed }, 'old records removed');
  return some.length;
}

/** Removal is silent: nobody is notified that records are old. */
function removalBefore(node: SeriesNode, beforeMs: number, nowMs: number): LogEntry {
  const facts = { notifyOn: NotifyOn.NOTIFY_ON_NONE, modifiedMs: nowMs };
  return { kind: 'column', column: rangeRemoval(node, MIN_RECORD_MS, beforeMs - 1, facts) };
}
