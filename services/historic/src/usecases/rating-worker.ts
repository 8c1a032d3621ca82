import { countOf } from '@catchment/number-format';
import type { OutboxMessage } from '@catchment/pg';
import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import type { RatingEvent, RatingStep, RatingSteps, SettledOf, StoredRating } from './ports.ts';
import {
  emptySeries,
  fillPage,
  type RateDeps,
  type Step,
  settleMarks,
  settleSeries,
  shareDone,
} from './rate-series.ts';

export type WorkerDeps = RateDeps & {
  readonly ratings: RatingSteps;
  readonly log: Logger;
  /** A line of the event log of a rating's node. */
  readonly eventOf: (rating: StoredRating, event: RatingEvent) => OutboxMessage;
  readonly settledOf: SettledOf;
  /** Says that the history of a rating's results is another one. */
  readonly recomputedOf: (rating: StoredRating, timeMs: number) => OutboxMessage;
  /** Messages of the log that are on their way to where these series are, over all partitions. */
  readonly backlog: (nodeIds: readonly string[]) => Promise<number>;
};

/** Others may have marked something, or left something undone. */
const POLL_MS = 500;
/** Ratings whose inputs have changed that are computed at a time. */
const RATINGS_AT_ONCE = 25;
const MARKS_AT_ONCE = 500;
/** Well below the time after which a transaction that waits is ended, and with it the claim. */
const STEP_LIMIT_MS = 15_000;
const RETRY_MS = 5_000;
/** Recomputations wait while so much is on its way to the store, so that they never delay what people write. */
const MAX_BACKLOG = 20;
const TELL_EVERY_MS = 10_000;

/**
 * Computes ratings: changes of inputs as soon as they are marked, recomputations beside them, page by page. What there is
 * to do is in Postgres, so it outlives this process; each step is one transaction that holds its ratings, appends to the
 * log and only then records its progress. A step that is repeated appends the same again: it may, so it is tried once at a time.
 */
export class RatingWorker {
  readonly #deps: WorkerDeps;
  readonly #loops: Record<'marks' | 'phase', Repeated>;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    const loop = (work: (signal: AbortSignal) => Promise<unknown>) =>
      repeat(work, { everyMs: POLL_MS, failed: 'ratings could not be computed, trying again', log: deps.log });
    this.#loops = {
      marks: loop(async (stopping) => (await this.#step('marks', RATINGS_AT_ONCE, stopping)) > 0),
      phase: loop(async (stopping) => {
        const claimed = await this.#step('phase', 1, stopping);
        // Marks made meanwhile were held by this step.
        if (claimed > 0) this.wake('marks');
        return claimed > 0;
      }),
    };
  }

  /** Something was marked by this process (`marks`), or is to be recomputed (`phase`). */
  wake(what: 'marks' | 'phase'): void {
    this.#loops[what].wake();
  }

  async stop(): Promise<void> {
    await Promise.all(Object.values(this.#loops).map((loop) => loop.stop()));
  }

  /** @returns how many ratings were worked on */
  async #step(what: 'marks' | 'phase', limit: number, stopping: AbortSignal): Promise<number> {
    const { ratings: queue, backlog, now } = this.#deps;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(STEP_LIMIT_MS)]);
    // Not run again on a conflict: the next round finds the ratings as they were, and appends the same.
    return queue.step(async (step) => {
      const ratings = await step.claim(what, limit, now());
      if (
        ratings.length > 0 &&
        what === 'phase' &&
        (await backlog(ratings.map(({ nodeId }) => nodeId))) > MAX_BACKLOG
      ) {
        // Others may be somewhere else.
        for (const { nodeId } of ratings) await step.saveProgress(nodeId, { retryMs: now() + POLL_MS });
        return 0;
      }
      const outcomes = await Promise.allSettled(
        ratings.map((rating) => {
          if (rating.phase === 'empty') return this.#recompute(step, rating, emptySeries, signal);
          if (what === 'phase' && rating.phase === 'settle') return this.#recompute(step, rating, settleSeries, signal);
          if (what === 'phase') return this.#recompute(step, rating, fillPage, signal);
          return this.#settle(step, rating, signal);
        }),
      );
      for (const [n, outcome] of outcomes.entries()) {
        const rating = ratings[n];
        if (outcome.status === 'fulfilled' || !rating || stopping.aborted) continue;
        this.#deps.log.warn(
          { err: outcome.reason, nodeId: rating.nodeId },
          'rating could not be computed, trying again',
        );
        await step.saveProgress(rating.nodeId, { retryMs: now() + RETRY_MS });
      }
      return ratings.length;
    });
  }

  async #settle(step: RatingStep, rating: StoredRating, signal: AbortSignal): Promise<void> {
    const marks = await step.marksOf(rating.nodeId, MARKS_AT_ONCE);
    if (marks.length === 0) return;
    const { markIds, rest } = await settleMarks(this.#deps, rating, marks, signal);
    await step.removeMarks(markIds);
    if (rest) await step.shortenMark(rest.markId, rest.fromMs, rest.timestamps);
  }

  async #recompute(
    step: RatingStep,
    rating: StoredRating,
    compute: (deps: RateDeps, rating: StoredRating, signal: AbortSignal) => Promise<Step>,
    signal: AbortSignal,
  ): Promise<void> {
    const { progress, failure, isFinished, isStored } = await compute(this.#deps, rating, signal);
    const timeMs = this.#deps.now();
    const after = { ...rating, ...progress };
    const events: RatingEvent[] = [];
    if (isFinished) events.push({ level: 'INFO', message: `Rating recomputed from ${count(after)}`, timeMs });
    const isDue = after.phase === 'fill' && !isFinished && timeMs - rating.toldMs >= TELL_EVERY_MS;
    if (isDue) {
      const share = Math.floor(shareDone(after) * 100);
      events.push({ level: 'DEBUG', message: `Recomputing rating: ${share} % done, ${count(after)}`, timeMs });
    }
    const messages = events.map((event) => this.#deps.eventOf(rating, event));
    // Without a rating there is nothing that could fail.
    const isSettled =
      failure !== undefined || (after.phase === 'settle' && rating.phase !== 'settle' && rating.hasFailed);
    if (isSettled) messages.push(this.#deps.settledOf(rating, { ...(failure && { failure }), timeMs }));
    if (isStored) messages.push(this.#deps.recomputedOf(rating, timeMs));
    await step.saveProgress(rating.nodeId, {
      ...progress,
      ...(isDue && { toldMs: timeMs }),
      ...(isSettled && { hasFailed: failure !== undefined }),
    });
    await step.tell(messages);
  }
}

const count = ({ doneRecords }: Pick<StoredRating, 'doneRecords'>): string => countOf(doneRecords, 'record');
