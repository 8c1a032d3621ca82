import { DomainError } from '@catchment/errors';
import { Pace } from '@catchment/fair-queue';
import { counter } from '@catchment/telemetry';
import { LRUCache } from 'lru-cache';
import type {
  EarlierRecords,
  ExistingRecords,
  FetchPlan,
  RecordReader,
  RecordStore,
  StoredColumn,
  StoredRecord,
  Visit,
} from '../../records/index.ts';
import type { SeriesKey } from '../../series/index.ts';
import { coverageOf, hasBegin, type PackedWindow, restBehind, restToHave } from '../domain/packed-window.ts';
import { HeldSpan, type LogHold } from './held-span.ts';
import { type Entry, KeptWindows, RECORD_BYTES } from './kept-windows.ts';
import { mostOf, readWindow } from './read-window.ts';
import { WritesUnderWay } from './writes-under-way.ts';

export type RecentOptions = {
  /** All windows take at most this much; 0 = none are kept. */
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

type StoredRecords = RecordStore & RecordReader & EarlierRecords;
/** The read may be answered from memory, in the span that the broker has confirmed since it began. */
type Reading = { readonly series: SeriesKey; readonly plan: FetchPlan; readonly span: number };

/** Windows grow by a quarter more than they need. */
const ROOM = 1.25;
/** Reads of this many series are counted before they get a window. */
const MAX_ASKED = 20_000;
/** Records between looks at the clock. */
const LOOK_EVERY = 128;
/** A series gets a window after this many reads: what is read once is on no dashboard. */
const ASKED_BEFORE = 1;
/** A series of which no window can be had for what is read is tried again after this many reads. */
const NOT_USEFUL_ASKS = 50;

/**
 * Keeps in memory recent records of series that are read (docs/adr/0039-recent-records.md). A window answers only while it is certain that
 * it holds what the store holds:
 *
 * - No write of its series is under way, from before it is sent until the store has taken it and the window too.
 * - Nothing of the log went to another replica since before the window was read, which the broker says after the read began.
 * - While it was read from the store nothing was written to its series.
 *
 * In any doubt the store is asked.
 */
export class RecentRecords {
  readonly #options: RecentOptions;
  readonly #windows: KeptWindows;
  readonly #writes = new WritesUnderWay();
  readonly #held: HeldSpan;
  readonly #asked = new LRUCache<string, number>({ max: MAX_ASKED });

  constructor(options: RecentOptions) {
    this.#options = options;
    this.#windows = new KeptWindows(options.budgetBytes);
    this.#held = new HeldSpan(options.monotonicMs);
  }

  close(): void {
    this.#windows.close();
  }

  /** Is called when this replica begins to read the log; before that nothing is answered from memory. */
  followLog(hold: LogHold): void {
    this.#held.follow(hold);
  }

  /** Returns the span of the log that this replica holds, as the broker says it now: all that is written meanwhile goes through it. */
  async heldSpan(): Promise<number | undefined> {
    return this.#mayHold(this.#options.monotonicMs()) ? this.#held.confirmed() : undefined;
  }

  get bytes(): number {
    return this.#windows.bytes;
  }

  get count(): number {
    return this.#windows.count;
  }

  /** Wraps the records of a store, and what is asked of them, so that windows learn of all that is written. */
  mirrored<S extends { readonly records: StoredRecords; readonly existing: ExistingRecords }>(store: S): S {
    const { records, existing } = store;
    if (this.#options.budgetBytes === 0) return store;
    const after = (columns: readonly StoredColumn[]) => () => {
      for (const column of columns) this.#windows.merge(column, this.#held.known);
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
            () => {
              for (const nodeId of nodeIds) this.#windows.drop(nodeId);
            },
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
            () => this.#windows.drop(nodeId),
          ),
      },
    };
  }

  /** Answers reads from memory where that is what the store would answer. @param store that writes go to as well (`mirrored`) */
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

  /** Returns a window that has the begin of a plan at least, and is what the store has at this moment. */
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
    const span = await this.#held.confirmed();
    if (span === undefined || !this.#mayAnswer(series.nodeId)) return undefined;
    const entry = this.#windows.get(series.nodeId);
    if (entry && entry.span !== span) this.#windows.drop(series.nodeId);
    else if (entry && this.#fits(entry, series, plan)) {
      this.#windows.touch(series.nodeId, entry);
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
    const longest = entry.window.bytes + RECORD_BYTES * ROOM * mostOf(plan, this.#windows.mostRecords);
    return longest <= this.#windows.mostBytes ? restToHave(entry.window, plan) : undefined;
  }

  #isAskedAgain(nodeId: string): boolean {
    const before = this.#asked.get(nodeId) ?? 0;
    this.#asked.set(nodeId, before + 1);
    return before >= ASKED_BEFORE;
  }

  #mayAnswer(nodeId: string): boolean {
    const nowMs = this.#options.monotonicMs();
    return this.#writes.isQuiet(nodeId, nowMs) && this.#mayHold(nowMs);
  }

  /** Series that move between InfluxDBs are written by whoever moves them, too. */
  #mayHold(nowMs: number): boolean {
    return this.#held.mayBeHeld(nowMs) && !this.#options.isSpread();
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
    const isUseful = coverageOf(window, plan) !== 'none' && window.bytes <= this.#windows.mostBytes;
    this.#asked.set(series.nodeId, isUseful ? 0 : -NOT_USEFUL_ASKS);
    if (isCertain && isUseful) this.#windows.keep(series.nodeId, { window, span });
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
    this.#windows.extend(entry, read.window);
    this.#asked.set(nodeId, coverageOf(entry.window, plan) === 'none' ? -NOT_USEFUL_ASKS : 0);
    if (entry.window.bytes <= this.#windows.mostBytes) this.#windows.keep(nodeId, { window: entry.window, span });
    else this.#windows.drop(nodeId);
    return hasBegin(entry.window, plan) ? entry.window : undefined;
  }

  /** @returns undefined where another read is about to make a window of the series */
  async #read({ series, span }: Reading, plan: FetchPlan, store: RecordReader, signal: AbortSignal) {
    const { nodeId } = series;
    const filling = this.#writes.beginRead(nodeId);
    if (!filling) return undefined;
    try {
      const window = await readWindow(store, series, plan, this.#windows.mostRecords, signal);
      return { window, isCertain: !filling.isSpoiled && span === this.#held.known && this.#mayAnswer(nodeId) };
    } finally {
      this.#writes.endRead(nodeId);
    }
  }

  async #write(nodeIds: readonly string[], work: () => Promise<void>, after: () => void): Promise<void> {
    for (const nodeId of nodeIds) this.#writes.beginWrite(nodeId);
    try {
      await work();
      after();
    } catch (error) {
      this.#writes.doubt(this.#options.monotonicMs());
      this.#windows.dropAll();
      throw error;
    } finally {
      for (const nodeId of nodeIds) if (this.#writes.endWrite(nodeId)) this.#windows.drop(nodeId);
    }
  }

  /** A store that does not answer may come back with other records. */
  async #watched<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unavailable') this.#windows.dropAll();
      throw error;
    }
  }
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
