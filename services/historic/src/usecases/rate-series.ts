import { NotifyOn } from '@catchment/contracts/ingest';
import { type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import type { Rating } from '@catchment/contracts/ratings';
import { essenceOf, type TransformAttributes, transformOf } from '@catchment/equation';
import type { LogEntry } from '@catchment/ingest-log';
import { type RatedSeries, rangeRemoval, ratedColumn } from '../domain/rated-column.ts';
import { type Rated, rate } from '../domain/rating.ts';
import type { StoredRecord } from '../domain/record-set.ts';
import { MAX_RECORD_MS, MIN_RECORD_MS } from '../domain/store-range.ts';
import type { Touch } from '../domain/touched-series.ts';
import { boundsOf } from './edges.ts';
import type { Mark, RatingProgress, RecordReader, SeriesKey, StoredRating } from './ports.ts';
import { recordsAt } from './records-at.ts';

export type RateDeps = {
  readonly reader: RecordReader;
  /** Appends to the partition of the rating's source; resolves when the log has it. */
  readonly append: (to: RatedSeries, entries: readonly LogEntry[]) => Promise<void>;
  /** The rating as nodes has it now; undefined when it is gone. */
  readonly ratingOf: (ownerId: string, nodeId: string) => Promise<Rating | undefined>;
  /** Undefined when it is gone. */
  readonly nodeOf: (ownerId: string, nodeId: string) => Promise<NodeConfig | undefined>;
  /** Sequence of the newest message of the log. */
  readonly endOfLog: () => Promise<number>;
  /** True once the store has what came for a source up to a sequence of the log. */
  readonly isStored: (series: Pick<StoredRating, 'nodeId' | 'sourceId'>, sequence: number) => Promise<boolean>;
  readonly now: () => number;
};

/** Input records per step of a recomputation: bounds memory, and what a step that is repeated repeats. */
const PAGE_RECORDS = 10_000;
/** Newest input records that are compared with the rating, to find those that are newer. */
const NEWS_RECORDS = 1_000;
/** A step looks no longer for scattered times. */
const SEARCH_MS = 4_000;
/** Until the store is asked again whether it has all. */
const SETTLE_MS = 500;
const USERNAME = 'System';

/** A rating whose input and rule are known. */
type Ready = StoredRating & {
  readonly inputNodeId: string;
  readonly config: Rating;
  readonly transform: TransformAttributes;
};

/** Result of a step; `failure` is the reason why nothing can be computed until the node changes. */
export type Step = {
  readonly progress: RatingProgress;
  readonly failure?: string;
  readonly isFinished?: boolean;
  /** All results can be read. */
  readonly isStored?: boolean;
};

/**
 * First step of a recomputation: empties the series, and finds out rule, input and how much there is to do. What is
 * computed later lies behind the emptying in the log.
 */
export async function emptySeries(deps: RateDeps, rating: StoredRating, signal: AbortSignal): Promise<Step> {
  const { nodeId, ownerId, workspaceId, sourceId, inputNodeId } = rating;
  const found = inputNodeId === undefined ? undefined : await prepare(deps, rating, inputNodeId);
  // The nodes service has a newer rating: its message comes in a moment.
  if (found === 'outdated') return { progress: { retryMs: deps.now() + 1_000 } };
  signal.throwIfAborted();
  const seriesDelete = {
    ...{ nodeId, ownerId, workspaceId, sourceId, valueType: ValueType.VALUE_TYPE_NUMBER },
    ...{ timeMs: deps.now(), username: USERNAME, recomputing: true },
  };
  await deps.append(rating, [{ kind: 'seriesDelete', seriesDelete }]);
  if (!found) {
    const isBroken = inputNodeId !== undefined;
    return { progress: await settling(deps), ...(isBroken && { failure: 'the input does not exist' }) };
  }
  const input = inputOf(found.inputNodeId);
  const { firstMs, lastMs } = await boundsOf(deps.reader, input, signal);
  const newsFromMs = await newsFrom(deps.reader, input, rating.sinceMs, signal);
  return {
    progress: {
      ...{ config: found.config, transform: found.transform, phase: 'fill' },
      ...{ positionMs: MIN_RECORD_MS, firstMs: firstMs ?? 0, lastMs: lastMs ?? 0, newsFromMs },
      ...{ doneRecords: 0, toldMs: deps.now() },
    },
  };
}

/**
 * The time from which the input has only records that were accepted after the rating's last change: they are new, all
 * others are recomputed.
 */
async function newsFrom(
  reader: RecordReader,
  input: SeriesKey,
  sinceMs: number | undefined,
  signal: AbortSignal,
): Promise<number> {
  const newest: number[] = [];
  const plan = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS, order: 'descending' as const, limit: NEWS_RECORDS };
  await reader.scan(input, plan, signal, ({ timeMs }) => newest.push(timeMs) < NEWS_RECORDS);
  const [lastMs, firstMs = lastMs] = [newest[0], newest.at(-1)];
  if (lastMs === undefined || firstMs === undefined) return MIN_RECORD_MS;
  const news = new Set<number>();
  if (sinceMs !== undefined) {
    const visit = ({ timeMs }: StoredRecord) => news.add(timeMs).size < NEWS_RECORDS;
    await reader.scanModified(input, sinceMs, MAX_RECORD_MS, signal, visit, { fromMs: firstMs, toMs: lastMs });
  }
  signal.throwIfAborted();
  const newestOldMs = newest.find((timeMs) => !news.has(timeMs));
  if (newestOldMs !== undefined) return newestOldMs + 1;
  return newest.length < NEWS_RECORDS ? MIN_RECORD_MS : firstMs;
}

async function prepare(deps: RateDeps, rating: StoredRating, inputNodeId: string) {
  const config = await deps.ratingOf(rating.ownerId, rating.nodeId);
  if (config && config.digest !== rating.digest) return 'outdated';
  const input = await deps.nodeOf(rating.ownerId, inputNodeId);
  if (!config || !input?.series) return undefined;
  return { config, inputNodeId, transform: essenceOf(input.series) };
}

/** The next page of a recomputation. */
export async function fillPage(deps: RateDeps, rating: StoredRating, signal: AbortSignal): Promise<Step> {
  if (!isReady(rating)) return { progress: { phase: 'empty' } };
  const fromMs = rating.positionMs ?? MIN_RECORD_MS;
  const page = await readPage(deps, rating, fromMs, MAX_RECORD_MS, signal);
  await appendPage(deps, rating, page, { silent: false });
  const doneRecords = rating.doneRecords + page.seen;
  if (page.isLast) return { progress: { ...(await settling(deps)), doneRecords }, isFinished: true };
  return { progress: { positionMs: page.toMs + 1, doneRecords } };
}

const settling = async ({ endOfLog }: RateDeps): Promise<RatingProgress> => ({
  phase: 'settle',
  settleSequence: await endOfLog(),
});

/** Last step of a recomputation: what is computed from its results must not read the store before it has them. */
export async function settleSeries(deps: RateDeps, rating: StoredRating): Promise<Step> {
  if (await deps.isStored(rating, rating.settleSequence ?? 0)) return { progress: { phase: null }, isStored: true };
  return { progress: { retryMs: deps.now() + SETTLE_MS } };
}

/** Progress of a recomputation, by the times of the input's records: 0 to 1. */
export function shareDone({ firstMs, lastMs, positionMs }: StoredRating): number {
  if (firstMs === undefined || lastMs === undefined || positionMs === undefined || lastMs <= firstMs) return 0;
  return Math.min(1, Math.max(0, (positionMs - firstMs) / (lastMs - firstMs)));
}

/** The rest of the first mark that was not computed as a whole. */
export type Settled = {
  readonly markIds: readonly number[];
  readonly rest?: { readonly markId: number; readonly fromMs: number; readonly timestamps: Float64Array | undefined };
};

/**
 * Computes the marked ranges again, oldest first. The store is read as it is now: a later change has a mark of its
 * own, so the last result is that of the last change, however often a mark is repeated.
 * @param marks at least one
 */
export async function settleMarks(
  deps: RateDeps,
  rating: StoredRating,
  marks: readonly Mark[],
  signal: AbortSignal,
): Promise<Settled> {
  // All records of a rating that is not computed yet come with its recomputation.
  if (!isReady(rating)) return { markIds: marks.map(({ markId }) => markId) };
  const [first] = marks;
  if (!first) return { markIds: [] };
  if (first.timestamps === undefined) return settleRange(deps, rating, first, signal);
  const alike = marks.slice(0, alikeCount(marks));
  const times = mergedTimes(alike);
  const { settled, outputs } = await rateTimes(deps, rating, times, signal);
  signal.throwIfAborted();
  if (settled > 0) {
    await deps.append(rating, columnsOf(deps, rating, times.subarray(0, settled), outputs, first));
  }
  if (settled === times.length) return { markIds: alike.map(({ markId }) => markId) };
  const rest = times.slice(settled);
  return {
    markIds: alike.slice(1).map(({ markId }) => markId),
    rest: { markId: first.markId, fromMs: rest[0] ?? first.fromMs, timestamps: rest },
  };
}

async function settleRange(deps: RateDeps, rating: Ready, mark: Mark, signal: AbortSignal): Promise<Settled> {
  const page = await readPage(deps, rating, mark.fromMs, mark.toMs, signal);
  await appendPage(deps, rating, page, mark);
  if (page.isLast) return { markIds: [mark.markId] };
  return { markIds: [], rest: { markId: mark.markId, fromMs: page.toMs + 1, timestamps: undefined } };
}

type Page = {
  readonly fromMs: number;
  /** Up to here all is in this page. */
  readonly toMs: number;
  readonly isLast: boolean;
  readonly seen: number;
  readonly times: number[];
  readonly outputs: Rated[];
};

async function readPage(deps: RateDeps, rating: Ready, fromMs: number, toMs: number, signal: AbortSignal) {
  const page = { times: [] as number[], outputs: [] as Rated[] };
  const transform = transformOf(rating.transform);
  let seen = 0;
  let lastMs = fromMs;
  const plan = { fromMs, toMs, order: 'ascending' as const, limit: PAGE_RECORDS };
  await deps.reader.scan(inputOf(rating.inputNodeId), plan, signal, (record) => {
    seen += 1;
    lastMs = record.timeMs;
    const output = rate(rating.config, transform, record);
    if (output) {
      page.times.push(record.timeMs);
      page.outputs.push(output);
    }
    return seen < PAGE_RECORDS;
  });
  signal.throwIfAborted();
  const isLast = seen < PAGE_RECORDS || lastMs >= toMs;
  return { ...page, fromMs, toMs: isLast ? toMs : lastMs, isLast, seen };
}

async function appendPage(
  deps: RateDeps,
  rating: Ready,
  page: Page,
  { silent, clears = false }: Pick<Touch, 'silent'> & Partial<Touch>,
): Promise<void> {
  const entries: LogEntry[] = [];
  if (clears) {
    const column = rangeRemoval(rating, page.fromMs, page.toMs, factsOf(deps, { silent }));
    entries.push({ kind: 'column', column });
  }
  entries.push(...columnsOf(deps, rating, Float64Array.from(page.times), page.outputs, { silent }));
  if (entries.length > 0) await deps.append(rating, entries);
}

/** During a recomputation only results newer than all earlier records of the input raise states and alarms. */
function columnsOf(
  deps: RateDeps,
  rating: StoredRating,
  times: Float64Array,
  outputs: readonly (Rated | undefined)[],
  { silent }: Pick<Touch, 'silent'>,
): LogEntry[] {
  const isNews = (time: number) => rating.phase === null || time >= (rating.newsFromMs ?? Number.POSITIVE_INFINITY);
  const firstNews = silent ? -1 : times.findIndex(isNews);
  const cut = firstNews < 0 ? times.length : firstNews;
  return [
    { from: 0, to: cut, silent: true },
    { from: cut, to: times.length, silent: false },
  ].flatMap((part): LogEntry[] => {
    if (part.from === part.to) return [];
    const own = [times.subarray(part.from, part.to), outputs.slice(part.from, part.to)] as const;
    return [{ kind: 'column', column: ratedColumn(rating, ...own, factsOf(deps, part)) }];
  });
}

async function rateTimes(deps: RateDeps, rating: Ready, times: Float64Array, signal: AbortSignal) {
  const outputs = new Array<Rated | undefined>(times.length).fill(undefined);
  const transform = transformOf(rating.transform);
  const untilMs = performance.now() + SEARCH_MS;
  const settled = await recordsAt(deps.reader, inputOf(rating.inputNodeId), times, signal, {
    visit: (index, record) => {
      outputs[index] = rate(rating.config, transform, record);
    },
    isEnough: () => performance.now() > untilMs,
  });
  return { settled, outputs };
}

const isReady = (rating: StoredRating): rating is Ready =>
  rating.inputNodeId !== undefined && rating.config !== undefined && rating.transform !== undefined;

const inputOf = (nodeId: string) => ({ nodeId, valueType: ValueType.VALUE_TYPE_NUMBER });

/** As of process outputs (docs/reference/processing-and-ratings.md#program-runs, rule 5), unless the change itself was silent. */
const factsOf = (deps: RateDeps, { silent }: Pick<Touch, 'silent'>) => ({
  notifyOn: silent ? NotifyOn.NOTIFY_ON_NONE : NotifyOn.NOTIFY_ON_ALL_NEWER,
  modifiedMs: deps.now(),
});

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
