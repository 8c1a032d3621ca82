import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@catchment/errors';
import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { MAX_RECORD_MS, MIN_RECORD_MS } from '../../series/index.ts';
import { type Changes, nextAction } from '../domain/move-action.ts';
import { CopyPace } from './copy-pace.ts';
import type { CopyPart, CopyRecords, MoveStep, Portion, ShardMoves } from './ports.ts';

export type MoveDeps = {
  readonly moves: ShardMoves;
  readonly copy: CopyRecords;
  /** Removes series from a shard. @throws DomainError unavailable */
  readonly remove: (shard: string, nodeIds: readonly string[], signal: AbortSignal) => Promise<void>;
  /** Puts a message that changes nothing into each partition of the log. @returns their sequences, by partition */
  readonly mark: () => Promise<readonly number[]>;
  readonly isSpread: () => boolean;
  /** Setting SHARD_GRACE_SECONDS. */
  readonly graceSeconds: number;
  readonly log: Logger;
};

const POLL_MS = 1_000;
const CLEAN_EVERY_MS = 2_000;
const CLEAN_RETRY_MS = 30_000;
const PURGE_EVERY_MS = 3_600_000;
/** This is below the time after which PostgreSQL ends a transaction that waits. */
const STEP_LIMIT_MS = 15_000;
const RETRY_MS = 2_000;
/** Old records of another move stay for the grace. */
const HELD_MS = 10_000;
/** This many series change their shard together, and their writers wait for it; most workspaces have fewer. */
const PORTION_SERIES = 5_000;
/** This many series are copied together in one step; a larger series is copied alone. */
const SERIES_AT_ONCE = 20;
const ROWS = { ofEach: 20_000, inAll: 300_000 } as const;
const ROWS_OF_ONE = { ofEach: 300_000, inAll: 300_000 } as const;
const CHANGES_AT_ONCE = 500;
/** The rest takes no longer than this once the latest changes are copied within it. */
const CLOSE_MS = 2_000;
const SWITCHOVER_LIMIT_MS = 10_000;
const SWITCHOVER_ASK_MS = 20;
/** A writer that comes to a mark later than this would not end a switchover in its time. */
const MARK_LIMIT_MS = 8_000;
/** A writer that keeps up has passed a mark by then. */
const SOON_MS = 1_000;
const ASK_PASSED_MS = 50;
const BEHIND_MS = 500;

/**
 * Moves the series of a workspace from shard to shard: copies their records, then what was written meanwhile, until little is left; draws a
 * boundary in the log; copies the rest when the old shard's writer has come there; hands over. What there is to do is in PostgreSQL: each
 * step is one transaction that holds the move, and any replica takes the next one. The order is that of `nextAction`.
 */
export class MoveWorker {
  readonly #deps: MoveDeps;
  readonly #loops: readonly Repeated[];
  readonly #pace = new CopyPace();

  constructor(deps: MoveDeps) {
    this.#deps = deps;
    const { moves, log, isSpread } = deps;
    const loop = (everyMs: number, failed: string, work: (stopping: AbortSignal) => Promise<boolean>) =>
      repeat(async (stopping) => isSpread() && (await work(stopping)), { everyMs, failed, log });
    this.#loops = [
      loop(POLL_MS, 'series could not be moved, trying again', (stopping) => this.#step(stopping)),
      loop(CLEAN_EVERY_MS, 'moved series could not be looked through, trying again', (stopping) =>
        this.#clean(stopping),
      ),
      loop(PURGE_EVERY_MS, 'old moves could not be removed, trying again later', async () => {
        await moves.purge();
        return false;
      }),
    ];
  }

  wake(): void {
    for (const loop of this.#loops.slice(0, 2)) loop.wake();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** @returns whether there may be more to do */
  async #step(stopping: AbortSignal): Promise<boolean> {
    const { moves, log } = this.#deps;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(STEP_LIMIT_MS)]);
    let moveId: number | undefined;
    try {
      const isMore = await moves.step(async (step) => {
        moveId = step.move.moveId;
        const portion = await step.portion();
        log.debug({ moveId, portionId: portion?.portionId, state: portion?.state }, 'step of a move');
        return portion ? this.#advance(step, portion, signal) : this.#begin(step);
      });
      return isMore ?? false;
    } catch (err) {
      if (stopping.aborted || moveId === undefined) throw err;
      log.warn({ err, moveId }, 'move is held up, trying again');
      await moves.failed(moveId, messageOf(err), RETRY_MS);
      return false;
    }
  }

  async #begin(step: MoveStep): Promise<boolean> {
    const outcome = await step.begin(PORTION_SERIES);
    if (outcome === 'held') await step.wait('waits for another move that holds series of the workspace', HELD_MS);
    if (outcome !== 'none') return true;
    await step.end();
    this.#deps.log.info({ moveId: step.move.moveId }, 'workspace was moved to another shard');
    return true;
  }

  async #advance(step: MoveStep, portion: Portion, signal: AbortSignal): Promise<boolean> {
    let action = nextAction(portion, 'unknown');
    if (action === 'copyChanges') action = nextAction(portion, await this.#copyChanges(step, portion, signal));
    switch (action) {
      case 'mark':
        await step.mark(portion, await this.#deps.mark(), MARK_LIMIT_MS);
        break;
      case 'beginCopying':
        await step.beginCopying(portion);
        break;
      case 'copySeries':
        await this.#copySeries(step, portion, signal);
        break;
      case 'beginSwitchover':
        await step.beginSwitchover(portion, SWITCHOVER_LIMIT_MS);
        break;
      case 'handOver':
        await step.handOver(portion);
        break;
      case 'takeBack':
        await step.takeBack(portion);
        break;
      case 'wait':
        await this.#wait(step, portion, signal);
        break;
      case 'copyChanges':
        break;
    }
    return true;
  }

  /** Waits for the old shard's writer. */
  async #wait(step: MoveStep, { state, leftMs, fromShard }: Portion, signal: AbortSignal): Promise<void> {
    if (state === 'cutting') return sleep(SWITCHOVER_ASK_MS, undefined, { signal });
    const isSoon = leftMs > MARK_LIMIT_MS - SOON_MS;
    // Other moves go first where the writer was waited for in vain before.
    if (isSoon && step.move.failure === undefined) return sleep(ASK_PASSED_MS, undefined, { signal });
    await step.wait(`waits for the writer of ${fromShard}, which is behind the log`, BEHIND_MS);
  }

  async #copySeries(step: MoveStep, portion: Portion, signal: AbortSignal): Promise<void> {
    const { remove } = this.#deps;
    const some = await step.uncopied(portion, SERIES_AT_ONCE);
    const [first] = some;
    if (!first) return;
    const fresh = some.filter(({ copiedMs }) => copiedMs === undefined);
    const series = fresh.length > 0 ? fresh : [first];
    // An earlier try may have left records that were deleted here since.
    if (fresh.length > 0)
      await remove(
        portion.toShard,
        fresh.map(({ nodeId }) => nodeId),
        signal,
      );
    const parts = series.map(({ nodeId, copiedMs }) => ({
      nodeId,
      clears: false,
      fromMs: copiedMs ?? MIN_RECORD_MS,
      toMs: MAX_RECORD_MS,
    }));
    const rest = await this.#copy(step, portion, parts, fresh.length > 0 ? ROWS : ROWS_OF_ONE, signal);
    const copied = series.map(({ nodeId }, n) => ({ nodeId, copiedMs: rest.get(n), isCopied: !rest.has(n) }));
    await step.copied(portion, copied);
  }

  /** @returns `none`: nothing that is known of is left, and it took little time */
  async #copyChanges(step: MoveStep, portion: Portion, signal: AbortSignal): Promise<Changes> {
    const limitMs = portion.state === 'cutting' ? Math.ceil(portion.leftMs) : STEP_LIMIT_MS;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    const untilMs = performance.now() + CLOSE_MS;
    while (performance.now() < untilMs) {
      const changes = await step.changes(portion, CHANGES_AT_ONCE);
      if (changes.length === 0) return 'none';
      const rest = await this.#copy(step, portion, changes, ROWS_OF_ONE, inTime);
      await step.settleChanges(portion, changes, rest);
      // Another writer may add notes: they wait for the next look.
      if (rest.size === 0 && changes.length < CHANGES_AT_ONCE) return performance.now() < untilMs ? 'none' : 'some';
    }
    return 'some';
  }

  async #copy(
    step: MoveStep,
    portion: Portion,
    parts: readonly CopyPart[],
    rows: Parameters<CopyRecords>[2],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, number>> {
    const shards = { from: portion.fromShard, to: portion.toShard };
    const beganMs = performance.now();
    try {
      const { records, rest } = await this.#deps.copy(shards, parts, this.#pace.of(rows), signal);
      this.#pace.took(performance.now() - beganMs, rest.size > 0);
      await step.addCopied(records);
      return rest;
    } catch (err) {
      if (signal.aborted) this.#pace.cutOff();
      throw err;
    }
  }

  #clean(stopping: AbortSignal): Promise<boolean> {
    const { moves, remove, graceSeconds, log } = this.#deps;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(STEP_LIMIT_MS)]);
    return moves.clean(graceSeconds, CLEAN_RETRY_MS, async (shard, nodeIds) => {
      try {
        await remove(shard, nodeIds, signal);
        return undefined;
      } catch (err) {
        if (stopping.aborted) throw err;
        log.warn({ err, shard }, 'records of moved series could not be removed, trying again');
        return messageOf(err);
      }
    });
  }
}

const messageOf = (error: unknown): string =>
  error instanceof DomainError ? `${error.reason}: ${error.message}` : 'An unexpected error; the log has it';
