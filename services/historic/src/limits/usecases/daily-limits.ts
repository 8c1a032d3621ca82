import { currentAccount, FairQueue, PLATFORM } from '@catchment/fair-queue';
import type { Logger } from '@catchment/telemetry';
import { DAY_MS } from '@catchment/time';
import { LRUCache } from 'lru-cache';
import type { DailyRows, DayCounts, SourceDay } from './ports.ts';

/** Rows (ascending distinct times) that a request brings to a source. */
type SourceRows = {
  readonly sourceId: string;
  readonly ownerId: string;
  readonly times: Float64Array;
  /** The acquisition that the rows are a part of: it is exempt to its end when it began so. */
  readonly acquisitionId?: string | undefined;
  /** Process and rating outputs, and imports, know the storage limit only. */
  readonly isUnlimitedByArrival?: boolean;
};

type LimitDeps = {
  readonly rows: DailyRows;
  /** Rows per source and UTC day; 0 = no limit. */
  readonly limitOf: (ownerId: string) => Promise<number>;
  /** Times of all records of a source on a day, as of every write before; undefined when they cannot be read now. */
  readonly timesOf: (source: SourceDay, ownerId: string) => Promise<ReadonlySet<number> | undefined>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
};

const COUNT_LATER = 'rows could not be counted, trying again';
/** Counts below this share of the limit are forgotten once a day is over, since they are far from it; see NEAR. */
const FORGOTTEN_SHARE = 0.05;
/** From this share of a limit on, every request is counted in Postgres. */
const NEAR = 0.8;
/**
 * A replica counts no more than this share of a limit by itself: what all of them may be over when they all fill a source
 * within the same second.
 */
const ALONE = 0.05;
/** Counts of other replicas are read again after this time, the sooner the nearer the limit. */
const TRUST = [
  { below: 0.2, forMs: 60_000 },
  { below: 0.5, forMs: 10_000 },
  { below: NEAR, forMs: 1_000 },
] as const;
const MAX_DAYS = 50_000;
const MAX_EXEMPT = 10_000;
/** Source-days whose times are held, so that a full source does not have them read for each request. */
const MAX_FULL = 4;
const FULL_FOR_MS = 10_000;
const EXACT = { reason: 'LIMIT_BUSY', capacity: 2, waitingPerAccount: 500, waiting: 2_000, waitMs: 60_000 } as const;
const FLUSH_DAYS = 2_000;

/** Counts of a source on a day: `known` are the sums of all replicas when last read, `added` the rows here since. */
type Day = SourceDay & { known: { acquired: number; stored: number }; added: Counts; readMs: number };
type Counts = { acquired: number; stored: number };
type Part = SourceRows & { readonly limit: number; readonly byDay: ReadonlyMap<number, Float64Array> };

/**
 * The daily limits of data sources (docs/reference/writing.md#daily-limits). Far from a limit rows are counted in memory,
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
  readonly #inFlight = new Map<string, Set<Promise<unknown>>>();
  /** Counts that are read during a delete are used once and not kept. */
  #forgotten = 0;
  readonly #exactPlaces = new FairQueue(EXACT);

  constructor(deps: LimitDeps) {
    this.#deps = deps;
  }

  /**
   * Appends what the limits let through.
   * @param append given the times to leave out of each source
   * @param turnLimitMs longest wait for a turn at a source that is near its limit
   * @throws DomainError unavailable while counts cannot be had
   */
  async within(
    sources: readonly SourceRows[],
    append: (dropped: readonly ReadonlySet<number>[]) => Promise<unknown>,
    turnLimitMs: number,
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
      const leave = await this.#exactPlaces.enter({
        account: currentAccount() ?? PLATFORM,
        cost: 1,
        waitMs: turnLimitMs,
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

  /** Stores the counts of this replica in Postgres, and reads those of the others. To be called every second. */
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
        const share = Math.max(counted.known.acquired, counted.known.stored) / limit;
        const trust = TRUST.find(({ below }) => share < below);
        // Near the limit every row is counted in Postgres.
        if (counted.readMs === Number.NEGATIVE_INFINITY || (trust && now - counted.readMs > trust.forMs))
          wanted.push(counted);
      }
    }
    if (wanted.length === 0) return;
    // While Postgres is away the known counts must do: writes far from any limit need nothing else.
    const found = await this.#deps.rows
      .load(wanted)
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'row counts could not be read, the known ones are used'));
    if (!found) return;
    const byKey = new Map(found.map((counts) => [keyOf(counts), counts]));
    for (const day of wanted) this.#heard(day, byKey.get(keyOf(day)) ?? { acquired: 0, stored: 0 });
  }

  #isNear(part: Part, today: number): boolean {
    const { sourceId, limit, byDay: days, times } = part;
    const isMuch = (before: number, alone: number) => before + alone > limit * NEAR || alone > limit * ALONE;
    if (!this.#isExempt(part, today)) {
      const { known, added } = this.#dayOf(sourceId, today);
      if (isMuch(known.acquired, added.acquired + times.length)) return true;
    }
    return [...days].some(([day, rows]) => {
      const { known, added } = this.#dayOf(sourceId, day);
      return isMuch(known.stored, added.stored + rows.length);
    });
  }

  /** A source without a record of today: never acquired, emptied, or being filled with older records. */
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

  #count(part: Part, today: number): { day: Day; counts: Counts }[] {
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
    const sourceIds = [...new Set(limited.map(({ sourceId }) => sourceId))].sort();
    // Rows that this replica has counted but not appended yet would be missing in the store.
    await Promise.allSettled(sourceIds.flatMap((sourceId) => [...(this.#inFlight.get(sourceId) ?? [])]));
    await this.#deps.rows.locked(sourceIds, async () => {
      const days = limited.flatMap((part) =>
        [...new Set([today, ...part.byDay.keys()])].map((day) => this.#dayOf(part.sourceId, day)),
      );
      await this.#save([...new Set(days)], true);
      const changes = new Map<string, DayCounts>();
      const dropped: ReadonlySet<number>[] = [];
      for (const part of parts) dropped.push(part ? await this.#decide(part, today, changes) : NONE);
      await append(dropped);
      // The log has the rows: a failed flush is repeated with the next one, and does not fail the request.
      const changed = [...changes.values()].map((counts) => {
        const day = this.#dayOf(counts.sourceId, counts.day);
        this.#add(day, counts);
        return day;
      });
      await this.#save(changed).catch((err: unknown) => this.#deps.log.warn({ err }, COUNT_LATER));
    });
  }

  /** Returns which rows are over a limit, and notes in `changes` what the others add to the counts. */
  async #decide(part: Part, today: number, changes: Map<string, DayCounts>): Promise<Set<number>> {
    const { sourceId, ownerId, limit, times, byDay: days } = part;
    const dropped = new Set<number>();
    const sum = (day: number, what: 'acquired' | 'stored') =>
      this.#dayOf(sourceId, day).known[what] + (changes.get(keyOf({ sourceId, day }))?.[what] ?? 0);
    const change = (day: number, counts: Partial<Counts>) => {
      const before = changes.get(keyOf({ sourceId, day })) ?? { sourceId, day, acquired: 0, stored: 0 };
      const { acquired = 0, stored = 0 } = counts;
      changes.set(keyOf(before), { ...before, acquired: before.acquired + acquired, stored: before.stored + stored });
    };
    const exactly = async (day: number) => {
      const existing = await this.#existing(part, day, ownerId);
      if (existing) change(day, { stored: existing.size - sum(day, 'stored') });
      return existing;
    };

    const free = Math.max(0, limit - sum(today, 'acquired'));
    let isExempt = this.#mayArrive(part) || sum(today, 'stored') === 0;
    if (!isExempt && times.length > free) isExempt = await this.#beganExempt(part);
    let isOver = !isExempt && times.length > free;
    if (isOver) {
      const ofToday = this.#full.get(keyOf({ sourceId, day: today })) ?? (await exactly(today));
      isOver = ofToday?.size !== 0;
    }
    if (isOver) for (const time of times.subarray(free)) dropped.add(time);

    for (const [day, all] of days) {
      const rows = all.filter((time) => !dropped.has(time));
      const held = this.#full.get(keyOf({ sourceId, day }));
      let added = rows;
      if (sum(day, 'stored') + rows.length > limit) {
        const existing = held ?? (await exactly(day));
        const fresh = existing ? rows.filter((time) => !existing.has(time)) : rows;
        const room = Math.max(0, limit - sum(day, 'stored'));
        added = fresh.subarray(0, room);
        for (const time of fresh.subarray(room)) dropped.add(time);
      }
      const full = this.#full.get(keyOf({ sourceId, day }));
      if (full) for (const time of added) full.add(time);
      change(day, { stored: added.length });
    }
    if (!isExempt) change(today, { acquired: times.length - dropped.size });
    return dropped;
  }

  async #existing({ sourceId }: Part, day: number, ownerId: string): Promise<ReadonlySet<number> | undefined> {
    const forgotten = this.#forgotten;
    const times = await this.#deps.timesOf({ sourceId, day }, ownerId);
    if (times && forgotten === this.#forgotten) this.#full.set(keyOf({ sourceId, day }), new Set(times));
    return times;
  }

  #remember(parts: readonly Part[], appended: Promise<unknown>): () => void {
    for (const { sourceId } of parts) {
      const known = this.#inFlight.get(sourceId);
      if (known) known.add(appended);
      else this.#inFlight.set(sourceId, new Set([appended]));
    }
    return () => {
      for (const { sourceId } of parts) {
        const known = this.#inFlight.get(sourceId);
        known?.delete(appended);
        if (known?.size === 0) this.#inFlight.delete(sourceId);
      }
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

  #add(day: Day, { acquired, stored }: Counts): void {
    day.added.acquired += acquired;
    day.added.stored += stored;
    this.#uncounted.set(keyOf(day), day);
  }

  #heard(day: Day, { acquired, stored }: Counts): void {
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

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
const keyOf = ({ sourceId, day }: SourceDay): string => `${sourceId} ${day}`;

function byDay(times: Float64Array): Map<number, Float64Array> {
  const days = new Map<number, Float64Array>();
  let from = 0;
  while (from < times.length) {
    const day = dayOf(times[from] ?? 0);
    let to = from + 1;
    while (to < times.length && dayOf(times[to] ?? 0) === day) to += 1;
    days.set(day, times.subarray(from, to));
    from = to;
  }
  return days;
}
