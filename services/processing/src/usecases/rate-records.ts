import { MAX_RECORD_MS, MIN_RECORD_MS } from '@catchment/time';
import { type Rated, rate } from '../domain/rating.ts';
import type { Records } from '../domain/series.ts';
import type { Mark, OutputRecords, RatedPlan, SeriesReader, SeriesWriter, Step } from './ports.ts';

type RateDeps = { readonly reader: SeriesReader; readonly writer: SeriesWriter };

/** A page has this many input records: it bounds memory, and what a step that is repeated repeats. */
const PAGE_RECORDS = 10_000;
const MARKS_AT_ONCE = 500;
/** Records beside the wanted ones that a question may bring. */
const SPARE_RECORDS = 64;
/** A step looks no longer for scattered times. */
const SEARCH_MS = 4_000;
/** No record is so late: all are silent. */
const SILENT_MS = MAX_RECORD_MS + 1;

export type RatedPage = {
  /** None where there is nothing to write. */
  readonly series: readonly OutputRecords[];
  /** Everything up to here is in this page. */
  readonly toMs: number;
  readonly isLast: boolean;
  /** Records of the input. */
  readonly seen: number;
};

/** Rates the first records of a range; a rating without an input has none. @param toMs inclusive, as `fromMs` */
export async function ratePage(
  { reader }: Pick<RateDeps, 'reader'>,
  { plan, rating }: RatedPlan,
  { fromMs = MIN_RECORD_MS, toMs = MAX_RECORD_MS }: { readonly fromMs?: number | undefined; readonly toMs?: number },
  signal: AbortSignal,
): Promise<RatedPage> {
  const [input] = plan.inputs;
  if (!input || fromMs > toMs) return { series: [], toMs, isLast: true, seen: 0 };
  const read = await reader.records(input, { fromMs, toMs }, PAGE_RECORDS, by(plan, signal));
  const seen = read.times.length;
  const lastMs = read.times.at(-1) ?? toMs;
  const isLast = seen < PAGE_RECORDS || lastMs >= toMs;
  const rated = columns();
  for (const [n, timeMs] of read.times.entries()) {
    const output = rate(rating, recordAt(read, n));
    if (output) add(rated, timeMs, output);
  }
  return { series: seriesOf(plan, rated), toMs: isLast ? toMs : lastMs, isLast, seen };
}

/**
 * Computes the marked times of a rating again, oldest marks first. The store is read as it is now: a later change has a mark of its own,
 * so the last result is that of the last change, however often a mark is repeated.
 * @returns whether there were any marks
 */
export async function settleMarks(
  deps: RateDeps,
  step: Step,
  stored: RatedPlan,
  signal: AbortSignal,
): Promise<boolean> {
  const marks = await step.marks(MARKS_AT_ONCE);
  const [first] = marks;
  if (!first) return false;
  const given = {
    ...(first.silent ? { toldFromMs: SILENT_MS } : announcedFrom(step)),
    empties: false,
    isAcquisition: false,
  };
  const write = (series: readonly OutputRecords[], more: object) => {
    signal.throwIfAborted();
    return deps.writer.write(step.program, series, { ...given, ...more }, signal);
  };
  if (first.timestamps === undefined) {
    const { fromMs, clears, markId } = first;
    const page = await ratePage(deps, stored, first, signal);
    const [output] = stored.plan.outputs;
    if (clears && output)
      await write(page.series.length > 0 ? page.series : [{ output, ...columns() }], {
        clears: { fromMs, toMs: page.toMs },
      });
    else if (page.series.length > 0) await write(page.series, {});
    if (page.isLast) await step.removeMarks([markId]);
    else await step.shortenMark({ markId, fromMs: page.toMs + 1, timestamps: undefined });
    return true;
  }
  const alike = marks.slice(0, alikeCount(marks));
  const times = mergedTimes(alike);
  const { series, settled } = await rateTimes(deps, stored, times, signal);
  if (settled > 0) await write(series, { removesAbsent: true });
  const isDone = settled === times.length;
  await step.removeMarks(alike.slice(isDone ? 0 : 1).map(({ markId }) => markId));
  const rest = times.slice(settled);
  if (!isDone) await step.shortenMark({ markId: first.markId, fromMs: rest[0] ?? first.fromMs, timestamps: rest });
  return true;
}

/** A recomputation raises states and alarms only by results newer than all earlier records of the input. */
const announcedFrom = ({ program }: Step) => (program.phase ? { toldFromMs: program.toldFromMs ?? SILENT_MS } : {});

/** Rates the records that the input has at these times. @returns how many of the times are settled: those behind them are not */
async function rateTimes(
  { reader }: Pick<RateDeps, 'reader'>,
  { plan, rating }: RatedPlan,
  times: Float64Array,
  signal: AbortSignal,
): Promise<{ readonly series: readonly OutputRecords[]; readonly settled: number }> {
  const rated = columns();
  const [input] = plan.inputs;
  const toMs = times.at(-1) ?? 0;
  const untilMs = performance.now() + SEARCH_MS;
  let at = 0;
  while (at < times.length && (at === 0 || performance.now() < untilMs)) {
    const fromMs = times[at] ?? 0;
    const limit = times.length - at + SPARE_RECORDS;
    const read = input ? await reader.records(input, { fromMs, toMs }, limit, by(plan, signal)) : columns();
    const knownMs = read.times.length < limit ? toMs : (read.times.at(-1) ?? toMs);
    let n = 0;
    for (let timeMs = fromMs; at < times.length && timeMs <= knownMs; timeMs = times[at] ?? 0) {
      while ((read.times[n] ?? Number.POSITIVE_INFINITY) < timeMs) n += 1;
      add(rated, timeMs, read.times[n] === timeMs ? rate(rating, recordAt(read, n)) : undefined);
      at += 1;
    }
  }
  return { series: seriesOf(plan, rated), settled: at };
}

const by = ({ qualityExcluded }: RatedPlan['plan'], signal: AbortSignal) => ({
  qualityExcluded,
  signal,
  storedQuality: true,
});

type Columns = { times: number[]; values: (number | undefined)[]; qualities: (number | undefined)[] };
const columns = (): Columns => ({ times: [], values: [], qualities: [] });

function add(to: Columns, timeMs: number, output: Rated | undefined): void {
  to.times.push(timeMs);
  to.values.push(output?.value);
  to.qualities.push(output?.quality);
}

function recordAt({ times, values, qualities }: Records, n: number) {
  const value = values[n];
  return { timeMs: times[n] ?? 0, value: typeof value === 'number' ? value : undefined, quality: qualities[n] };
}

const seriesOf = ({ outputs: [output] }: RatedPlan['plan'], rated: Columns): OutputRecords[] =>
  output && rated.times.length > 0 ? [{ output, ...rated }] : [];

/** Marks of single times that follow one another may be settled at once. */
function alikeCount(marks: readonly Mark[]): number {
  const [first] = marks;
  let total = 0;
  const end = marks.findIndex(({ silent, timestamps }) => {
    total += timestamps?.length ?? 0;
    return timestamps === undefined || silent !== first?.silent || total > PAGE_RECORDS;
  });
  return end < 0 ? marks.length : Math.max(1, end);
}

function mergedTimes(marks: readonly Mark[]): Float64Array {
  const all = new Set<number>();
  for (const { timestamps } of marks) for (const time of timestamps ?? []) all.add(time);
  return Float64Array.from(all).sort();
}
