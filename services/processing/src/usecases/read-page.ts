import { ValueType } from '@catchment/contracts/nodes';
import { type Between, straight, turning } from '@catchment/equation';
import { inParallel } from '@catchment/fair-queue';
import { type AlignedInput, aligned, asBooleans } from '../domain/align.ts';
import type { Plan, PlanInput } from '../domain/plan.ts';
import { joined, NO_RECORDS, type Records, withValues } from '../domain/series.ts';
import type { Range, ReadAs, SeriesReader } from './ports.ts';
import type { InputColumn } from './sandbox.ts';

/** Runs of a page at most: bounds memory, and what a step that is repeated repeats. */
export const MAX_PAGE = 5_000;
/** A page reads this many records of a secondary input at most; a page with more is shortened. */
const MAX_RECORDS = 20_000;
/** A page with fewer times than this asks for the neighbours of each time instead. */
const FEW_TIMES = 16;
const LOOKED_UP_TIMES = 64;
const LOOK_UPS_AT_ONCE = 8;
/** Records without a value, or invisible ones, are passed over in steps of this many. */
const SKIPS = [1, 50, 2_000, 20_000];

export type ReadDeps = { readonly reader: SeriesReader };

export type PageRequest = {
  /** Reads times after this one; absent = from the first record on. */
  readonly afterMs?: number | undefined;
  /** Reads times up to this one; absent = all. */
  readonly untilMs?: number | undefined;
  readonly limit: number;
  readonly as?: ReadAs | undefined;
  readonly signal: AbortSignal;
};

/** Times that are due, with what the inputs are then. */
export type Page = {
  readonly times: readonly number[];
  readonly columns: readonly InputColumn[];
  /** There is nothing to evaluate after it, as far as is known now. */
  readonly isLast: boolean;
};

const EMPTY: Page = { times: [], columns: [], isLast: true };

/**
 * Reads the next times of the primary input that are due, and the inputs at them
 * (docs/reference/processing-and-ratings.md#program-runs). The number of times in a page has no effect on the results.
 */
export async function readPage({ reader }: ReadDeps, plan: Plan, request: PageRequest): Promise<Page> {
  const read = new PageReader(reader, plan, request);
  const [primary] = plan.inputs;
  if (!primary) return EMPTY;
  const found = await read.primaryTimes(primary);
  return found.times.length === 0 ? { ...EMPTY, isLast: found.isLast } : read.page(found);
}

/**
 * Reads the inputs at ticks of a schedule, or when somebody wants a run: nothing is waited for.
 * @returns the first of these times; the first one in any case
 */
export async function readMoments(
  { reader }: ReadDeps,
  plan: Plan,
  times: readonly number[],
  by: Pick<PageRequest, 'as' | 'signal'>,
): Promise<Omit<Page, 'isLast'>> {
  const asListed: Plan = { ...plan, runMode: 'ANY_INPUT', aggregateInputs: 'PARTIAL' };
  const { times: known, columns } = await new PageReader(reader, asListed, { limit: times.length, ...by }).page({
    times,
    isLast: true,
  });
  return { times: known, columns };
}

type Times = {
  readonly times: readonly number[];
  readonly isLast: boolean;
  /** The records of a primary input without aggregate. */
  readonly records?: Records;
};
type Input = {
  readonly isAggregate: boolean;
  readonly records: Records;
  /** Known up to here; later times are of a later page. */
  readonly knownMs: number;
  /** Times after this wait. */
  readonly settledMs: number;
};

class PageReader {
  readonly #reader: SeriesReader;
  readonly #plan: Plan;
  readonly #request: PageRequest;

  constructor(reader: SeriesReader, plan: Plan, request: PageRequest) {
    this.#reader = reader;
    this.#plan = plan;
    this.#request = request;
  }

  async primaryTimes(primary: PlanInput): Promise<Times> {
    if (primary.aggregate && this.#plan.aggregateInputs === 'COMPLETE') return this.#completeIntervals(primary);
    const { afterMs, untilMs, limit } = this.#request;
    const from = afterMs === undefined ? {} : { fromMs: afterMs + 1 };
    const { records, isLast } = await this.#first(
      primary,
      { ...from, ...(untilMs !== undefined && { toMs: untilMs }) },
      limit,
    );
    return { times: records.times, isLast, ...(!primary.aggregate && { records }) };
  }

  async page({ times: all, isLast, records: primary }: Times): Promise<Page> {
    const inputs = await Promise.all(
      this.#plan.inputs.map((input, index) =>
        index === 0 && primary
          ? ({ isAggregate: false, records: primary, knownMs: Infinity, settledMs: Infinity } as Input)
          : this.input(input, all),
      ),
    );
    const knownMs = Math.min(...inputs.map((input) => input.knownMs));
    const settledMs = Math.min(...inputs.map((input) => input.settledMs));
    const known = all.filter((timeMs) => timeMs <= knownMs);
    const times = known.filter((timeMs) => timeMs <= settledMs);
    // A time that waits comes with a record of its input, which makes the program due again.
    const waits = times.length < known.length;
    return {
      times,
      columns: await this.columns(inputs, times),
      isLast: waits || (isLast && known.length === all.length),
    };
  }

  /** All that a page needs of an input that is not its raw primary one. */
  async input(input: PlanInput, times: readonly number[]): Promise<Input> {
    if (input.aggregate) return this.#aggregate(input, times);
    const firstMs = times[0] ?? 0;
    const lastMs = times.at(-1) ?? 0;
    if (firstMs === lastMs) return this.#around(input, times);
    const [before, within] = await Promise.all([
      this.#last(input, firstMs),
      this.#first(input, { fromMs: firstMs + 1, toMs: lastMs }, MAX_RECORDS),
    ]);
    const endMs = within.isLast ? lastMs : (within.records.times.at(-1) ?? firstMs);
    const reached = times.findLastIndex((timeMs) => timeMs <= endMs) + 1;
    if (reached < Math.min(FEW_TIMES, times.length)) return this.#around(input, times);
    const records = joined([before, within.records]);
    if (!within.isLast) return { isAggregate: false, records, knownMs: endMs, settledMs: Infinity };
    if (records.times.at(-1) === lastMs) return { isAggregate: false, records, knownMs: Infinity, settledMs: Infinity };
    return this.#settled(joined([records, await this.#next(input, lastMs)]), lastMs);
  }

  /** Columns as the program asks for them. */
  async columns(inputs: readonly Input[], times: readonly number[]): Promise<InputColumn[]> {
    if (times.length === 0) return [];
    const { columns, secondaryInputs, asksNewest } = this.#plan;
    const newest = asksNewest ? await this.#reader.newest(this.#plan.inputs, this.#request.signal) : [];
    return columns.map(({ input: index, isBoolean }): InputColumn => {
      const input = inputs[index];
      const { valueType, isDirection } = this.#plan.inputs[index] ?? {};
      const isNumber = valueType === ValueType.VALUE_TYPE_NUMBER;
      const mode = isNumber && !isBoolean && !input?.isAggregate ? secondaryInputs : 'RETAIN';
      const values = this.#valuesOf(input, times, mode, isDirection ? turning : straight);
      const newestMs = newest[index];
      return { ...(isBoolean ? asBooleans(values) : values), ...(newestMs !== undefined && { newestMs }) };
    });
  }

  #valuesOf(
    input: Input | undefined,
    times: readonly number[],
    mode: Plan['secondaryInputs'],
    between: Between,
  ): AlignedInput {
    if (!input) return aligned(NO_RECORDS, times, mode);
    if (!input.isAggregate) return aligned(input.records, times, mode, between);
    const { values, qualities } = input.records;
    // Results of an aggregate are in the order of the times already; the page may have been shortened.
    const count = times.length;
    return {
      values: values.slice(0, count),
      times: values.slice(0, count).map((value, n) => (value === undefined ? undefined : times[n])),
      qualities: qualities.slice(0, count),
    };
  }

  async #aggregate(input: PlanInput, times: readonly number[]): Promise<Input> {
    const { aggregateInputs, runMode } = this.#plan;
    const whole = aggregateInputs === 'COMPLETE';
    const {
      ends,
      newestMs = Number.NEGATIVE_INFINITY,
      ...records
    } = await this.#reader.aggregateAt(input, times, {
      ...this.#by(),
      zone: this.#plan.zone,
      whole,
    });
    const waiting = times.findIndex((timeMs, n) =>
      whole ? (ends[n] ?? Infinity) > newestMs : runMode === 'ALL_INPUTS' && timeMs > newestMs,
    );
    const settledMs = waiting < 0 ? Infinity : (times[waiting] ?? 0) - 1;
    return { isAggregate: true, records, knownMs: Infinity, settledMs };
  }

  /**
   * Returns the neighbours of each time alone, where the input is far denser than the times; only the first of many times are
   * looked up.
   */
  async #around(input: PlanInput, all: readonly number[]): Promise<Input> {
    const times = all.slice(0, LOOKED_UP_TIMES);
    const found = await inParallel(times, { atOnce: LOOK_UPS_AT_ONCE }, async (timeMs) => {
      const before = await this.#last(input, timeMs);
      return before.times[0] === timeMs ? before : joined([before, await this.#next(input, timeMs)]);
    });
    const lastMs = times.at(-1) ?? 0;
    const settled = this.#settled(distinct(joined(found)), lastMs);
    return times.length < all.length ? { ...settled, knownMs: lastMs } : settled;
  }

  #settled(records: Records, lastMs: number): Input {
    const newestMs = records.times.at(-1) ?? Number.NEGATIVE_INFINITY;
    const waits = this.#plan.runMode === 'ALL_INPUTS' && newestMs < lastMs;
    return { isAggregate: false, records, knownMs: Infinity, settledMs: waits ? newestMs : Infinity };
  }

  /** Starts of intervals that are complete and have a result, after the position. */
  async #completeIntervals(primary: PlanInput): Promise<Times> {
    const { afterMs, untilMs, limit } = this.#request;
    const by = { ...this.#by(), zone: this.#plan.zone, whole: true };
    let fromMs = afterMs === undefined ? undefined : afterMs + 1;
    for (;;) {
      this.#request.signal.throwIfAborted();
      const { records } = await this.#first(primary, fromMs === undefined ? {} : { fromMs }, 1);
      const [recordMs] = records.times;
      if (recordMs === undefined) return { times: [], isLast: true };
      const at = await this.#reader.aggregateAt(primary, [recordMs], by);
      const [startMs = recordMs, endMs = recordMs] = [at.starts[0], at.ends[0]];
      // Records of the interval that was evaluated last: the next one begins where it ends.
      if (afterMs !== undefined && startMs <= afterMs) {
        fromMs = endMs;
        continue;
      }
      const toMs = Math.min(at.newestMs ?? recordMs, untilMs ?? Infinity);
      if (toMs < startMs) return { times: [], isLast: true };
      const starts = await this.#reader.intervals(primary, { fromMs: startMs, toMs }, limit, by);
      const results = await this.#reader.aggregateAt(primary, starts, by);
      const isCount = primary.aggregate?.name === 'COUNT';
      const times = starts.filter((_, n) => {
        const value = results.values[n];
        const hasResult = value !== undefined && !(isCount && value === 0);
        return hasResult && (results.ends[n] ?? Infinity) <= (results.newestMs ?? Number.NEGATIVE_INFINITY);
      });
      const isLast = starts.length < limit;
      if (times.length > 0 || isLast) return { times, isLast };
      // None of these intervals has a result.
      fromMs = results.ends.at(-1);
    }
  }

  /** The first records having a value, in order. */
  async #first(input: PlanInput, range: Range, limit: number): Promise<{ records: Records; isLast: boolean }> {
    const parts: Records[] = [];
    let { fromMs = Number.MIN_SAFE_INTEGER } = range;
    let found = 0;
    for (;;) {
      // The range may end with the last record that was read.
      if (fromMs > (range.toMs ?? Infinity)) return { records: joined(parts), isLast: true };
      const wanted = limit - found;
      const read = await this.#reader.records(input, { ...range, fromMs }, wanted, this.#by());
      const valued = withValues(read);
      parts.push(valued);
      found += valued.times.length;
      const isLast = read.times.length < wanted;
      if (isLast || found >= limit) return { records: joined(parts), isLast };
      fromMs = (read.times.at(-1) ?? fromMs) + 1;
    }
  }

  /** The last record having a value at or before a time; none where there is none. */
  async #last(input: PlanInput, timeMs: number): Promise<Records> {
    let toMs = timeMs;
    for (let round = 0; ; round += 1) {
      const limit = SKIPS[Math.min(round, SKIPS.length - 1)] ?? 1;
      const read = await this.#reader.records(input, { toMs }, limit, this.#by());
      const { times, values, qualities } = withValues(read);
      if (times.length > 0) return { times: times.slice(-1), values: values.slice(-1), qualities: qualities.slice(-1) };
      if (read.times.length < limit) return NO_RECORDS;
      toMs = (read.times[0] ?? toMs) - 1;
    }
  }

  /** Finds the first record having a value after a time. */
  async #next(input: PlanInput, timeMs: number): Promise<Records> {
    return (await this.#first(input, { fromMs: timeMs + 1 }, 1)).records;
  }

  #by() {
    const { as, signal } = this.#request;
    return { qualityExcluded: this.#plan.qualityExcluded, as, signal };
  }
}

/** Neighbours of neighbouring times may be the same. */
function distinct({ times, values, qualities }: Records): Records {
  const order = [...times.keys()].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  const kept = order.filter((at, n) => n === 0 || times[at] !== times[order[n - 1] ?? 0]);
  return {
    times: kept.map((at) => times[at] ?? 0),
    values: kept.map((at) => values[at]),
    qualities: kept.map((at) => qualities[at]),
  };
}
