import { DomainError } from '@catchment/errors';
import { Pace } from '@catchment/fair-queue';
import { counter, gauge } from '@catchment/telemetry';
import { LRUCache } from 'lru-cache';
import {
  type EarlierRecords,
  type ExistingRecords,
  type FetchPlan,
  type RecordReader,
  RecordSet,
  type RecordStore,
  type StoredColumn,
  type StoredRecord,
  type Visit,
} from '../../records/index.ts';
import { MAX_RECORD_MS, type SeriesKey } from '../../series/index.ts';
import { coverageOf, hasBegin, PackedWindow, restBehind, restToHave } from '../domain/packed-window.ts';

/**
 * Says whether all that is written goes through this replica: everything that the log has delivered since a span of time began was delivered
 * to it.
 */
export type LogHold = {
  /** The span that is under way, as the broker says it now; undefined: others have taken something, or nobody knows. */
  current(): Promise<number | undefined>;
  /** The span that is under way, as far as this replica knows. */
  readonly span: number;
};

export type RecentOptions = {
  /** Bytes of all windows; 0 = none are kept. */
  readonly budgetBytes: number;
  /** Returns whether there are several InfluxDBs: series move between them, and other replicas move them. */
  readonly isSpread: () => boolean;
  /** Milliseconds that only go on. */
  readonly monotonicMs: () => number;
};

const reads = counter({
  name: 'catchment_recent_records_reads_total',
  help: 'Reads of raw records of one series, by their outcome: `hit` from memory, `miss` from InfluxDB.',
  labels: ['outcome'],
  known: [{ outcome: 'hit' }, { outcome: 'miss' }],
});
const evicted = counter({
  name: 'catchment_recent_records_evicted_total',
  help: 'Series whose recent records were dropped because the memory for them (RECENT_RECORDS_MIB) was full.',
  known: [{}],
});
const memory = gauge({
  name: 'catchment_recent_records_bytes',
  help: 'Memory of recent records, at most RECENT_RECORDS_MIB.',
});

type StoredRecords = RecordStore & RecordReader & EarlierRecords;
type Entry = { readonly window: PackedWindow; readonly span: number };
/** A read that may be answered from memory, in the span that the broker has confirmed since it began. */
type Reading = { readonly series: SeriesKey; readonly plan: FetchPlan; readonly span: number };
/** A read from the store that becomes a window, unless something is written meanwhile. */
type Filling = { isSpoiled: boolean };
/** Writes under way. */
type Writing = { count: number; isMixed: boolean };

/** A window takes at most this part of the budget. */
const MOST_OF_BUDGET = 1 / 8;
/** A record of numbers takes about this many bytes. */
const RECORD_BYTES = 16;
/** Windows grow by a quarter more than they need. */
const ROOM = 1.25;
/** Records of a window at the least, and how many times as many as a read asks for. */
const LEAST_RECORDS = 2_000;
const TIMES_ASKED = 2;
/** A window has at most this many records. */
const MOST_RECORDS = 100_000;
/** Series whose reads are counted before they get a window. */
const MAX_ASKED = 20_000;
/** Records between two looks at the clock. */
const LOOK_EVERY = 128;
/** A series gets a window after this many reads: what is read once is on no dashboard. */
const ASKED_BEFORE = 1;
/** A series of which no window can be had for what is read is tried again after this many reads. */
const NOT_USEFUL_ASKS = 50;
/**
 * A write that was given up may still be on its way to the store, whose own limit for it is far shorter; and a store that was away may come back with
 * other records.
 */
const DOUBT_MS = 120_000;
/** The broker is not asked for each read where other processes hold the log. */
const NOT_HELD_MS = 1_000;
const NOT_HELD_TIMES = 3;

/**
 * Recent records of series that are read, in memory (docs/adr/0039-recent-records.md). A window answers only while it is certain that it
 * holds what the store holds:
 *
 * - No write of its series is under way, from before it is sent until the store has taken it and the window too.
 * - Nothing of the log went to another replica since before the window was read, which the broker says after the read began.
 * - While it was read from the store nothing was written to its series.
 *
 * In any doubt the store is asked.
 */
export class RecentRecords {
  readonly #options: RecentOptions;
  /** Windows by series; the series that was read last comes last. */
  readonly #windows = new Map<string, Entry>();
  readonly #filling = new Map<string, Filling>();
  readonly #writing = new Map<string, Writing>();
  readonly #asked = new LRUCache<string, number>({ max: MAX_ASKED });
  readonly close: () => void;
  #hold: LogHold | undefined;
  #bytes = 0;
  #doubtUntilMs = Number.NEGATIVE_INFINITY;
  #notHeld = 0;
  #notHeldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: RecentOptions) {
    this.#options = options;
    this.close = memory.from(() => this.#bytes);
  }

  /** Is called when this replica begins to read the log; before that nothing is answered from memory. */
  followLog(hold: LogHold): void {
    this.#hold = hold;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#windows.size;
  }

  /** The records of a store, and what is asked of them, such that windows learn of all that is written. */
  mirrored<S extends { readonly records: StoredRecords; readonly existing: ExistingRecords }>(store: S): S {
    const { records, existing } = store;
    if (this.#options.budgetBytes === 0) return store;
    const after = (columns: readonly StoredColumn[]) => () => {
      for (const column of columns) this.#merge(column);
    };
    return {
      ...store,
      records: {
        scan: (...of) => this.#watched(() => records.scan(...of)),
        scanModified: (...of) => this.#watched(() => records.scanModified(...of)),
        scanWrittenBefore: (...of) => this.#watched(() => records.scanWrittenBefore(...of)),
        writeColumns: (columns, signal) => {
          const nodeIds = new Set(columns.map(({ nodeId }) => nodeId));
          return this.#write([...nodeIds], () => records.writeColumns(columns, signal), after(columns));
        },
        deleteSeries: (nodeIds, signal) =>
          this.#write(
            nodeIds,
            () => records.deleteSeries(nodeIds, signal),
            () => this.#dropAll(nodeIds),
          ),
      },
      existing: {
        presenceAt: (...of) => existing.presenceAt(...of),
        hasAny: (...of) => existing.hasAny(...of),
        timesIn: (...of) => existing.timesIn(...of),
        deleteRange: (nodeId, range, signal) =>
          this.#write(
            [nodeId],
            () => existing.deleteRange(nodeId, range, signal),
            () => this.#drop(nodeId),
          ),
      },
    };
  }

  /** Reads that are answered from memory where that is what the store would answer. @param store that writes go to as well (`mirrored`) */
  reader(store: RecordReader): RecordReader {
    if (this.#options.budgetBytes === 0) return store;
    return {
      scan: async (series, plan, signal, visit) => {
        const window = await this.#windowFor(series, plan, store, signal);
        reads.add({ outcome: window ? 'hit' : 'miss' });
        if (!window) return store.scan(series, plan, signal, visit);
        const rest = coverageOf(window, plan) === 'all' ? undefined : restBehind(window, plan);
        if (!(await visitAll(window.visit(plan), signal, visit)) || !rest) return;
        return store.scan(series, rest, signal, visit);
      },
      scanModified: (...of) => store.scanModified(...of),
    };
  }

  /** A window that has the begin of a plan at least, and is what the store has at this moment. */
  async #windowFor(
    series: SeriesKey,
    plan: FetchPlan,
    store: RecordReader,
    signal: AbortSignal,
  ): Promise<PackedWindow | undefined> {
    if (!this.#mayAnswer(series.nodeId) || plan.fromMs > plan.toMs) return undefined;
    const known = this.#windows.get(series.nodeId);
    const isKnown = this.#fits(known, series, plan) || this.#restOf(known, series, plan) !== undefined;
    if (!isKnown && !this.#isAskedAgain(series.nodeId)) return undefined;
    const span = await this.#heldSpan();
    if (span === undefined || !this.#mayAnswer(series.nodeId)) return undefined;
    const entry = this.#windows.get(series.nodeId);
    if (entry && entry.span !== span) this.#drop(series.nodeId);
    else if (entry && this.#fits(entry, series, plan)) {
      this.#windows.delete(series.nodeId);
      this.#windows.set(series.nodeId, entry);
      return entry.window;
    }
    const reading = { series, plan, span };
    const rest = this.#restOf(this.#windows.get(series.nodeId), series, plan);
    return rest ? this.#extend(reading, rest, store, signal) : this.#fill(reading, store, signal);
  }

  #fits(entry: Entry | undefined, { valueType }: SeriesKey, plan: FetchPlan): boolean {
    return entry !== undefined && entry.window.valueType === valueType && coverageOf(entry.window, plan) !== 'none';
  }

  /** Plans the read that gives a window the begin of a plan, too: pages of a long series come one after another. */
  #restOf(entry: Entry | undefined, { nodeId, valueType }: SeriesKey, plan: FetchPlan): FetchPlan | undefined {
    if (entry === undefined || entry.window.valueType !== valueType || (this.#asked.get(nodeId) ?? 0) < 0)
      return undefined;
    const longest = entry.window.bytes + RECORD_BYTES * ROOM * mostOf(plan, this.#mostRecords);
    return longest <= this.#mostBytes ? restToHave(entry.window, plan) : undefined;
  }

  #isAskedAgain(nodeId: string): boolean {
    const before = this.#asked.get(nodeId) ?? 0;
    this.#asked.set(nodeId, before + 1);
    return before >= ASKED_BEFORE;
  }

  #mayAnswer(nodeId: string): boolean {
    const nowMs = this.#options.monotonicMs();
    if (nowMs < this.#doubtUntilMs || nowMs < this.#notHeldUntilMs) return false;
    return this.#hold !== undefined && !this.#writing.has(nodeId) && !this.#options.isSpread();
  }

  async #heldSpan(): Promise<number | undefined> {
    const span = await this.#hold?.current();
    // Deliveries since the broker answered are known here.
    if (span !== undefined && span === this.#hold?.span) {
      this.#notHeld = 0;
      return span;
    }
    this.#notHeld += 1;
    if (this.#notHeld >= NOT_HELD_TIMES) this.#notHeldUntilMs = this.#options.monotonicMs() + NOT_HELD_MS;
    return undefined;
  }

  /**
   * Reads a window from the store, which answers the plan that it was read for in any case, as far as it has its begin. It is kept if nothing was
   * written meanwhile.
   */
  async #fill(reading: Reading, store: RecordReader, signal: AbortSignal): Promise<PackedWindow | undefined> {
    const { series, plan, span } = reading;
    const read = await this.#read(reading, plan, store, signal);
    if (!read) return undefined;
    const { window, isCertain } = read;
    const isUseful = coverageOf(window, plan) !== 'none' && window.bytes <= this.#mostBytes;
    this.#asked.set(series.nodeId, isUseful ? 0 : -NOT_USEFUL_ASKS);
    if (isCertain && isUseful) this.#keep(series.nodeId, { window, span });
    return hasBegin(window, plan) ? window : undefined;
  }

  /** Reads what a window lacks and joins it, if nothing was written meanwhile. */
  async #extend(
    reading: Reading,
    rest: FetchPlan,
    store: RecordReader,
    signal: AbortSignal,
  ): Promise<PackedWindow | undefined> {
    const { series, plan, span } = reading;
    const { nodeId } = series;
    const entry = this.#windows.get(nodeId);
    const read = await this.#read(reading, rest, store, signal);
    if (!entry || !read?.isCertain || this.#windows.get(nodeId) !== entry) return undefined;
    const before = entry.window.bytes;
    entry.window.extend(read.window);
    this.#bytes += entry.window.bytes - before;
    this.#asked.set(nodeId, coverageOf(entry.window, plan) === 'none' ? -NOT_USEFUL_ASKS : 0);
    if (entry.window.bytes <= this.#mostBytes) this.#keep(nodeId, { window: entry.window, span });
    else this.#drop(nodeId);
    return hasBegin(entry.window, plan) ? entry.window : undefined;
  }

  /** @returns undefined where another read is about to make a window of the series */
  async #read({ series, span }: Reading, plan: FetchPlan, store: RecordReader, signal: AbortSignal) {
    const { nodeId } = series;
    if (this.#filling.has(nodeId)) return undefined;
    const filling: Filling = { isSpoiled: false };
    this.#filling.set(nodeId, filling);
    try {
      const window = await readWindow(store, series, plan, this.#mostRecords, signal);
      return { window, isCertain: !filling.isSpoiled && span === this.#hold?.span && this.#mayAnswer(nodeId) };
    } finally {
      this.#filling.delete(nodeId);
    }
  }

  #keep(nodeId: string, entry: Entry): void {
    this.#drop(nodeId);
    this.#windows.set(nodeId, entry);
    this.#bytes += entry.window.bytes;
    this.#evict();
  }

  get #mostBytes(): number {
    return this.#options.budgetBytes * MOST_OF_BUDGET;
  }

  get #mostRecords(): number {
    return Math.min(MOST_RECORDS, Math.floor(this.#mostBytes / RECORD_BYTES / 2));
  }

  #evict(): void {
    for (const [nodeId] of this.#windows) {
      if (this.#bytes <= this.#options.budgetBytes) return;
      this.#drop(nodeId);
      evicted.add({});
    }
  }

  async #write(nodeIds: readonly string[], work: () => Promise<void>, after: () => void): Promise<void> {
    for (const nodeId of nodeIds) this.#begin(nodeId);
    try {
      await work();
      after();
    } catch (error) {
      this.#doubt();
      throw error;
    } finally {
      for (const nodeId of nodeIds) this.#end(nodeId);
    }
  }

  #begin(nodeId: string): void {
    const filling = this.#filling.get(nodeId);
    if (filling) filling.isSpoiled = true;
    const writing = this.#writing.get(nodeId);
    if (!writing) this.#writing.set(nodeId, { count: 1, isMixed: false });
    else {
      // Nobody knows which of the writes the store takes last.
      writing.isMixed = true;
      writing.count += 1;
    }
  }

  #end(nodeId: string): void {
    const writing = this.#writing.get(nodeId);
    if (!writing) return;
    if (writing.isMixed) this.#drop(nodeId);
    writing.count -= 1;
    if (writing.count === 0) this.#writing.delete(nodeId);
  }

  #merge(column: StoredColumn): void {
    const entry = this.#windows.get(column.nodeId);
    if (!entry) return;
    const { window, span } = entry;
    const before = window.bytes;
    const isKnown = span === this.#hold?.span && window.merge(column);
    this.#bytes += window.bytes - before;
    if (isKnown && window.bytes > this.#mostBytes) {
      const large = window.bytes;
      window.dropOlder();
      this.#bytes += window.bytes - large;
    }
    // Texts may be of any length.
    if (!isKnown || window.bytes > this.#mostBytes) this.#drop(column.nodeId);
    this.#evict();
  }

  /** A write may or may not have reached the store, or may still reach it: nothing is certain for a while. */
  #doubt(): void {
    this.#doubtUntilMs = this.#options.monotonicMs() + DOUBT_MS;
    this.#dropAll([...this.#windows.keys()]);
    for (const filling of this.#filling.values()) filling.isSpoiled = true;
  }

  /** A store that does not answer may come back with other records. */
  async #watched<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unavailable') this.#dropAll([...this.#windows.keys()]);
      throw error;
    }
  }

  #dropAll(nodeIds: readonly string[]): void {
    for (const nodeId of nodeIds) this.#drop(nodeId);
  }

  #drop(nodeId: string): void {
    const entry = this.#windows.get(nodeId);
    if (!entry) return;
    this.#windows.delete(nodeId);
    this.#bytes -= entry.window.bytes;
  }
}

/** Records that a window has at the most when it is read for a plan. */
const mostOf = ({ limit, order }: Pick<FetchPlan, 'limit' | 'order'>, mostRecords: number): number =>
  limit === undefined && order === 'ascending'
    ? mostRecords
    : Math.min(mostRecords, Math.max(LEAST_RECORDS, (limit ?? 0) * TIMES_ASKED));

/**
 * Reads the records that a plan asks for and some more: up to the newest, where they are near. The window may have the begin of the plan only, or nothing
 * of it.
 */
async function readWindow(
  store: RecordReader,
  series: SeriesKey,
  { fromMs, toMs, order, limit }: FetchPlan,
  mostRecords: number,
  signal: AbortSignal,
): Promise<PackedWindow> {
  const most = mostOf({ limit, order }, mostRecords);
  const found = new RecordSet(series.valueType);
  let [behind, isCut] = [0, false];
  const range: FetchPlan = { fromMs, toMs: MAX_RECORD_MS, order, limit: limit === undefined ? undefined : most };
  await store.scan(series, range, signal, (record) => {
    if (order === 'ascending' && record.timeMs > toMs) behind += 1;
    isCut = found.count >= most || behind > LEAST_RECORDS;
    if (!isCut) found.add(record);
    return !isCut;
  });
  const lastMs = found.times[found.count - 1] ?? fromMs;
  const covered =
    order === 'ascending'
      ? { fromMs, toMs: isCut ? lastMs : MAX_RECORD_MS }
      : { fromMs: isCut ? lastMs : fromMs, toMs: MAX_RECORD_MS };
  const window = new PackedWindow(series.valueType, covered);
  for (let n = 0; n < found.count; n += 1) window.append(found.at(order === 'ascending' ? n : found.count - 1 - n));
  return window;
}

async function visitAll(records: Iterable<StoredRecord>, signal: AbortSignal, visit: Visit): Promise<boolean> {
  const pace = new Pace({ signal });
  let seen = 0;
  for (const record of records) {
    if (!visit(record)) return false;
    seen += 1;
    if (seen % LOOK_EVERY === 0 && pace.isOver) await pace.next();
  }
  return true;
}
