import { MIN_RECORD_MS } from '../../series/index.ts';
import type { FetchPlan } from './read-range.ts';

/** Earlier reads of a series have found these hints, which shorten a read and never change its result. */
export type KnownSeries = {
  /** Records are about this far apart. */
  readonly stepMs: number | undefined;
  /** Reads without a bound on that side found these ends of the series, Unix ms. */
  readonly oldestMs: number | undefined;
  readonly newestMs: number | undefined;
  /** All records were numbers so far; after the first that is not, this stays false. */
  readonly isPlain: boolean;
};

/** Unix ms, both inclusive. */
export type Window = { readonly fromMs: number; readonly toMs: number };

/** A series of which only one record is known is assumed to have this step. */
const FIRST_STEP_MS = 120_000;
const SHORTEST_MS = 3_600_000;
/** Loggers miss some readings. */
const ROOM = 1.25;
/** A window grows by this factor after an empty one. */
const GROWTH = 16;
/** The rest is read at once after this many windows, each of which costs a request of about a millisecond. */
const MAX_WINDOWS = 3;

/**
 * Cuts the range of a read with a limit into windows, from the side where the read begins. InfluxDB opens every shard and
 * block of the range of a statement, whatever its limit.
 */
export class ReadWindows {
  readonly #isAscending: boolean;
  /** Records are expected to begin here, seen in the order of the read. */
  readonly #edgeMs: number;
  #fromMs: number;
  #toMs: number;
  #spanMs: number;
  #opened = 0;
  #window: Window | undefined;

  /** @param known what earlier reads have found
   * @param nowMs where a series of unknown end is expected to end */
  constructor(plan: FetchPlan, known: KnownSeries | undefined, nowMs: number) {
    this.#isAscending = plan.order === 'ascending';
    this.#edgeMs = this.#isAscending ? (known?.oldestMs ?? plan.fromMs) : (known?.newestMs ?? nowMs);
    this.#fromMs = plan.fromMs;
    this.#toMs = plan.toMs;
    // A series without earlier reads is read as a whole: searching for its records would cost more requests than it saves.
    const expectedMs = known
      ? (plan.limit ?? Number.POSITIVE_INFINITY) * (known.stepMs ?? FIRST_STEP_MS) * ROOM
      : Number.POSITIVE_INFINITY;
    this.#spanMs = Math.max(SHORTEST_MS, expectedMs);
  }

  /** Returns the next window; undefined when the whole range was read. */
  next(): Window | undefined {
    const [fromMs, toMs] = [this.#fromMs, this.#toMs];
    if (fromMs > toMs) return undefined;
    this.#opened += 1;
    const isRest = this.#opened > MAX_WINDOWS || this.#spanMs >= toMs - fromMs;
    this.#window = isRest ? { fromMs, toMs } : this.#part(fromMs, toMs);
    return this.#window;
  }

  /** The window had this many rows, and there are no more in it; `missing` rows are still wanted. */
  read(rows: number, missing: number): void {
    const { fromMs, toMs } = this.#window ?? { fromMs: this.#fromMs, toMs: this.#toMs };
    if (this.#isAscending) this.#fromMs = toMs + 1;
    else this.#toMs = fromMs - 1;
    const grownMs = this.#spanMs * GROWTH;
    this.#spanMs = rows === 0 ? grownMs : Math.min(grownMs, Math.ceil((this.#spanMs / rows) * missing * 2));
  }

  /** There may be more in the window behind this time. */
  restBehind(lastMs: number): void {
    this.restFrom(this.#isAscending ? lastMs + 1 : lastMs - 1);
  }

  /** There may be more in the window from this time on. */
  restFrom(timeMs: number): void {
    this.#opened -= 1;
    if (this.#isAscending) this.#fromMs = timeMs;
    else this.#toMs = timeMs;
  }

  #part(fromMs: number, toMs: number): Window {
    const edgeMs = Math.min(Math.max(this.#edgeMs, fromMs), toMs);
    const spanMs = Math.ceil(this.#spanMs);
    return this.#isAscending
      ? { fromMs, toMs: Math.min(toMs, edgeMs + spanMs) }
      : { fromMs: Math.max(fromMs, edgeMs - spanMs), toMs };
  }
}

/** Counts the rows of a read, and keeps the times of the first and last row, Unix ms, in the order of the plan. */
export class SeenRows {
  rows = 0;
  firstMs = 0;
  lastMs = 0;
  isPlain = true;

  add(page: {
    readonly rows: number;
    readonly firstMs: number;
    readonly lastMs: number;
    readonly isPlain: boolean;
  }): void {
    this.isPlain &&= page.isPlain;
    if (page.rows === 0) return;
    if (this.rows === 0) this.firstMs = page.firstMs;
    this.rows += page.rows;
    this.lastMs = page.lastMs;
  }
}

/** Returns the hints after a read with at least one row. */
export function seriesAfter(
  before: KnownSeries | undefined,
  plan: FetchPlan,
  { rows, firstMs, lastMs, isPlain }: Readonly<Omit<SeenRows, 'add'>>,
  nowMs: number,
): KnownSeries {
  const isAscending = plan.order === 'ascending';
  const isOldest = isAscending && plan.fromMs <= (before?.oldestMs ?? MIN_RECORD_MS);
  const isNewest = !isAscending && plan.toMs >= (before?.newestMs ?? nowMs);
  return {
    stepMs: rows > 1 ? Math.abs(lastMs - firstMs) / (rows - 1) : before?.stepMs,
    oldestMs: isOldest ? firstMs : before?.oldestMs,
    newestMs: isNewest ? firstMs : before?.newestMs,
    isPlain: isPlain && (before?.isPlain ?? true),
  };
}
