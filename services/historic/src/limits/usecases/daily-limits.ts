import { Bag, currentAccount, FairQueue, PLATFORM } from '@catchment/fair-queue';
import type { Logger } from '@catchment/telemetry';
import { LRUCache } from 'lru-cache';
import { isNearLimit, storableRows, trustMs } from '../domain/row-limit.ts';
import { byDay, CountChanges, dayOf, keyOf, type RowCounts, type SourceDay } from '../domain/source-days.ts';
import type { DailyRows } from './ports.ts';

/** A request brings these rows (ascending distinct times) to a source. */
type SourceRows = {
  readonly sourceId: string;
  readonly ownerId: string;
  readonly times: Float64Array;
  /** The rows are a part of this acquisition: it is exempt to its end when it began so. */
  readonly acquisitionId?: string | undefined;
  /** Process and rating outputs, and imports, know the storage limit only. */
  readonly isUnlimitedByArrival?: boolean;
};

type LimitDeps = {
  readonly rows: DailyRows;
  /** Returns the rows per source and UTC day; 0 means no limit. */
  readonly limitOf: (ownerId: string) => Promise<number>;
  /** Returns the times of all records of a source on a day, as of every write before; undefined when they cannot be read now. */
  readonly timesOf: (source: SourceDay, ownerId: string) => Promise<ReadonlySet<number> | undefined>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
};

const COUNT_LATER = 'rows could not be counted, trying again';
/** Counts below this share of the limit are forgotten once a day is over, since they are far from it. */
const FORGOTTEN_SHARE = 0.05;
const MAX_DAYS = 50_000;
const MAX_EXEMPT = 10_000;
/** The times of at most this many source-days are held, so that a full source does not have them read for each request. */
const MAX_FULL = 4;
const FULL_FOR_MS = 10_000;
const EXACT = { reason: 'LIMIT_BUSY', capacity: 2, waitingPerAccount: 500, waiting: 2_000, waitMs: 60_000 } as const;
const FLUSH_DAYS = 2_000;

/** A source has these counts on a day: `known` are the sums of all replicas when last read, `added` the rows here since. */
type Day = SourceDay & { known: RowCounts; added: { acquired: number; stored: number }; readMs: number };
type Part = SourceRows & { readonly limit: number; readonly byDay: ReadonlyMap<number, Float64Array> };

/**
 * Data sources have daily limits (docs/reference/writing.md#daily-limits). Far from a limit rows are counted in memory,
 * and with all replicas once a second; near it, and for large ones, a request holds a lock on the source until the log has
 * its rows, and a count that would drop any is first put right from the store. Rows are appended once: nothing of it is a
 * transaction, which could be run again.
 */
export class DailyLimits {
  readonly #deps: LimitDeps;
  readonly #days = new LRUCache<string, Day>({ max: MAX_DAYS });
  readonly #uncounted = new Map<string, Day>();
  readonly #full = new LRUCache<string, Set<number>>({ max: MAX_FULL, ttl: FULL_FOR_MS });
  /** Acquisitions that began exempt. */
  readonly #exempt = new LRUCache<string, true>({ max: MAX_EXEMPT });
  readonly #inFlight = new Bag<{ readonly sourceId: string; readonly appended: Promise<unknown> }>();
  /** Counts that are read during a delete are used once and not kept. */
  #forgotten = 0;
  readonly #exactWrites = new FairQueue(EXACT);

  constructor(deps: LimitDeps) {
    this.#deps = deps;
  }

  /**
   * Appends what the limits let through.
   * @param append given the times to leave out of each source
   * @param waitLimitMs longest wait for other writes of a source that is near its limit
   * @throws DomainError unavailable while counts cannot be had
   */
  async within(
    sources: readonly SourceRows[],
    append: (dropped: readonly ReadonlySet<number>[]) => Promise<unknown>,
    waitLimitMs: number,
  ): Promise<void> {
    const parts = await Promise.all(sources.map((source) => this.#partOf(source)));
    const limited = parts.filter((part) => part !== undefined);
    const nothing = sources.map(() => NONE);
    if (limited.length === 0) {
      await append(nothing);
      return;
    }
    const today = dayOf(this.#deps.now());
    await this.#hear(limited, today);
    await Promise.all(limited.map((part) => this.#noteExempt(part, today)));
    if (limited.some((part) => this.#isNear(part, today))) {
      const leave = await this.#exactWrites.enter({
        account: currentAccount() ?? PLATFORM,
        cost: 1,
        waitMs: waitLimitMs,
      });
      try {
        return await this.#appendExactly(parts, today, append);
      } finally {
        leave();
      }
    }
    const counted = limited.flatMap((part) => this.#count(part, today));
    const appended = append(nothing);
    const forget = this.#remember(limited, appended);
    try {
      await appended;
    } catch (error) {
      for (const { day, counts } of counted) this.#add(day, { acquired: -counts.acquired, stored: -counts.stored });
      throw error;
    } finally {
      forget();
    }
  }

  /**
   * Records of these sources were deleted by entries that are in the log: counts of their days read before are no longer
   * right. Other replicas read them again when their own counts are too old.
   */
  forget(sourceIds: readonly string[]): void {
    this.#forgotten += 1;
    for (const key of [...this.#full.keys()])
      if (sourceIds.some((sourceId) => key.startsWith(`${sourceId} `))) this.#full.delete(key);
  }

  /** Stores the counts of this replica in Postgres, and reads those of the others; it is called every second. */
  async flush(): Promise<void> {
    const all = [...this.#uncounted.values()];
    for (let from = 0; from < all.length; from += FLUSH_DAYS) await this.#save(all.slice(from, from + FLUSH_DAYS));
  }

  /** Forgets the counts of past days that no limit depends on. @param limit of the installation, 0 = none */
  async purge(limit: number): Promise<void> {
    if (limit > 0) await this.#deps.rows.purge(Math.floor(limit * FORGOTTEN_SHARE));
  }

  async #partOf(source: SourceRows): Promise<Part | undefined> {
    if (source.times.length === 0) return undefined;
    const limit = await this.#deps.limitOf(source.ownerId);
    return limit > 0 ? { ...source, limit, byDay: byDay(source.times) } : undefined;
  }

  async #hear(parts: readonly Part[], today: number): Promise<void> {
    const now = this.#deps.now();
    const wanted: Day[] = [];
    for (const { sourceId, byDay: days, limit } of parts) {
      for (const day of new Set([today, ...days.keys()])) {
        const counted = this.#dayOf(sourceId, day);
        const isRead = counted.readMs !== Number.NEGATIVE_INFINITY;
        if (!isRead || now - counted.readMs > (trustMs(counted.known, limit) ?? Number.POSITIVE_INFINITY))
          wanted.push(counted);
      }
    }
    if (wanted.length === 0) return;
    // The known counts must do while Postgres is away: writes far from any limit need nothing else.
    const found = await this.#deps.rows
      .load(wanted)
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'row counts could not be read, the known ones are used'));
    if (!found) return;
    const byKey = new Map(found.map((counts) => [keyOf(counts), counts]));
    for (const day of wanted) this.#heard(day, byKey.get(keyOf(day)) ?? { acquired: 0, stored: 0 });
  }

  #isNear(part: Part, today: number): boolean {
    const { sourceId, limit, byDay: days, times } = part;
    if (!this.#isExempt(part, today)) {
      const { known, added } = this.#dayOf(sourceId, today);
      if (isNearLimit(known.acquired, added.acquired + times.length, limit)) return true;
    }
    return [...days].some(([day, rows]) => {
      const { known, added } = this.#dayOf(sourceId, day);
      return isNearLimit(known.stored, added.stored + rows.length, limit);
    });
  }

  /** Returns whether a source has no record of today: never acquired, emptied, or being filled with older records. */
  #isExempt(part: Part, today: number): boolean {
    return this.#mayArrive(part) || this.#isWithout(part, today);
  }

  #mayArrive({ acquisitionId, isUnlimitedByArrival }: Part): boolean {
    return isUnlimitedByArrival === true || (acquisitionId !== undefined && this.#exempt.has(acquisitionId));
  }

  #isWithout({ sourceId }: Part, today: number): boolean {
    const { known, added } = this.#dayOf(sourceId, today);
    return known.stored + added.stored === 0;
  }

  /** An acquisition that begins exempt is so to its end, whichever replica takes the rest of it. */
  async #noteExempt(part: Part, today: number): Promise<void> {
    const { sourceId, acquisitionId } = part;
    if (acquisitionId === undefined || this.#mayArrive(part) || !this.#isWithout(part, today)) return;
    this.#exempt.set(acquisitionId, true);
    await this.#deps.rows
      .exempt({ sourceId, acquisitionId })
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'an exempt acquisition could not be noted'));
  }

  /** Returns whether any replica has noted the acquisition as exempt. */
  async #beganExempt({ sourceId, acquisitionId }: Part): Promise<boolean> {
    if (acquisitionId === undefined || !(await this.#deps.rows.isExempt({ sourceId, acquisitionId }))) return false;
    this.#exempt.set(acquisitionId, true);
    return true;
  }

  #count(part: Part, today: number): { day: Day; counts: RowCounts }[] {
    const isExempt = this.#isExempt(part, today);
    const counted = [...part.byDay].map(([day, times]) => {
      const counts = { acquired: 0, stored: times.length };
      return { day: this.#dayOf(part.sourceId, day), counts };
    });
    if (!isExempt)
      counted.push({
        day: this.#dayOf(part.sourceId, today),
        counts: { acquired: part.times.length, stored: 0 },
      });
    for (const { day, counts } of counted) this.#add(day, counts);
    return counted;
  }

  async #appendExactly(
    parts: readonly (Part | undefined)[],
    today: number,
    append: (dropped: readonly ReadonlySet<number>[]) => Promise<unknown>,
  ): Promise<void> {
    const limited = parts.filter((part) => part !== undefined);
    const ids = new Set(limited.map(({ sourceId }) => sourceId));
    const sourceIds = [...ids].sort();
    // Rows that this replica has counted but not appended yet would be missing in the store.
    await Promise.allSettled(
      this.#inFlight.all().flatMap(({ sourceId, appended }) => (ids.has(sourceId) ? [appended] : [])),
    );
    await this.#deps.rows.locked(sourceIds, async () => {
      const days = limited.flatMap((part) =>
        [...new Set([today, ...part.byDay.keys()])].map((day) => this.#dayOf(part.sourceId, day)),
      );
      await this.#save([...new Set(days)], true);
      const changes = new CountChanges(({ sourceId, day }) => this.#dayOf(sourceId, day).known);
      const dropped: ReadonlySet<number>[] = [];
      for (const part of parts) dropped.push(part ? await this.#decide(part, today, changes) : NONE);
      await append(dropped);
      // The log has the rows: a failed flush is repeated with the next one, and does not fail the request.
      const changed = changes.all().map((counts) => {
        const day = this.#dayOf(counts.sourceId, counts.day);
        this.#add(day, counts);
        return day;
      });
      await this.#save(changed).catch((err: unknown) => this.#deps.log.warn({ err }, COUNT_LATER));
    });
  }

  /** Returns which rows are over a limit, and notes in `changes` what the others add to the counts. */
  async #decide(part: Part, today: number, changes: CountChanges): Promise<Set<number>> {
    const { sourceId, ownerId, limit, times, byDay: days } = part;
    const dropped = new Set<number>();
    const timesOf = async (source: SourceDay): Promise<ReadonlySet<number> | undefined> => {
      const full = this.#full.get(keyOf(source));
      if (full) return full;
      const existing = await this.#existing(source, ownerId);
      // The count becomes what the store has.
      if (existing) changes.add(source, { stored: existing.size - changes.sum(source, 'stored') });
      return existing;
    };

    const ofToday = { sourceId, day: today };
    const free = Math.max(0, limit - changes.sum(ofToday, 'acquired'));
    let isExempt = this.#mayArrive(part) || changes.sum(ofToday, 'stored') === 0;
    if (!isExempt && times.length > free) isExempt = await this.#beganExempt(part);
    let isOver = !isExempt && times.length > free;
    if (isOver) isOver = (await timesOf(ofToday))?.size !== 0;
    if (isOver) for (const time of times.subarray(free)) dropped.add(time);

    for (const [day, all] of days) {
      const source = { sourceId, day };
      let added: Float64Array = all.filter((time) => !dropped.has(time));
      if (changes.sum(source, 'stored') + added.length > limit) {
        const existing = await timesOf(source);
        const rows = storableRows(added, existing, changes.sum(source, 'stored'), limit);
        for (const time of rows.refused) dropped.add(time);
        added = rows.added;
      }
      const full = this.#full.get(keyOf(source));
      if (full) for (const time of added) full.add(time);
      changes.add(source, { stored: added.length });
    }
    if (!isExempt) changes.add(ofToday, { acquired: times.length - dropped.size });
    return dropped;
  }

  async #existing(source: SourceDay, ownerId: string): Promise<ReadonlySet<number> | undefined> {
    const forgotten = this.#forgotten;
    const times = await this.#deps.timesOf(source, ownerId);
    if (times && forgotten === this.#forgotten) this.#full.set(keyOf(source), new Set(times));
    return times;
  }

  #remember(parts: readonly Part[], appended: Promise<unknown>): () => void {
    const leaves = parts.map(({ sourceId }) => this.#inFlight.add({ sourceId, appended }));
    return () => {
      for (const leave of leaves) leave();
    };
  }

  #dayOf(sourceId: string, day: number): Day {
    const key = keyOf({ sourceId, day });
    const known = this.#days.get(key) ?? this.#uncounted.get(key);
    const entry = known ?? {
      sourceId,
      day,
      known: { acquired: 0, stored: 0 },
      added: { acquired: 0, stored: 0 },
      readMs: Number.NEGATIVE_INFINITY,
    };
    this.#days.set(key, entry);
    return entry;
  }

  #add(day: Day, { acquired, stored }: RowCounts): void {
    day.added.acquired += acquired;
    day.added.stored += stored;
    this.#uncounted.set(keyOf(day), day);
  }

  #heard(day: Day, { acquired, stored }: RowCounts): void {
    day.known = { acquired, stored };
    day.readMs = this.#deps.now();
  }

  /** @param always also days that nothing was counted for here */
  async #save(days: readonly Day[], always = false): Promise<void> {
    const chosen = days.filter((day) => always || this.#uncounted.has(keyOf(day)));
    const sent = chosen.map((day) => ({ day, counts: { ...day.added } }));
    const sums = await this.#deps.rows.add(
      sent.map(({ day: { sourceId, day }, counts }) => ({ sourceId, day, ...counts })),
    );
    const byKey = new Map(sums.map((sum) => [keyOf(sum), sum]));
    for (const { day, counts } of sent) {
      day.added.acquired -= counts.acquired;
      day.added.stored -= counts.stored;
      if (day.added.acquired === 0 && day.added.stored === 0) this.#uncounted.delete(keyOf(day));
      const sum = byKey.get(keyOf(day));
      if (sum) this.#heard(day, sum);
    }
  }
}

const NONE: ReadonlySet<number> = new Set();
