import { DAY_MS } from '@catchment/time';

export type SourceDay = { readonly sourceId: string /** Days since 1970-01-01. */; readonly day: number };

/** A source has rows that arrived on a day, and rows that are stored with a time of that day. */
export type RowCounts = { readonly acquired: number; readonly stored: number };

export type DayCounts = SourceDay & RowCounts;

/** Returns the day of a time, Unix ms: days since 1970-01-01 (UTC). */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

export const keyOf = ({ sourceId, day }: SourceDay): string => `${sourceId} ${day}`;

/** Divides ascending times by their days. */
export function byDay(times: Float64Array): ReadonlyMap<number, Float64Array> {
  const days = new Map<number, Float64Array>();
  for (let from = 0, to = 0; from < times.length; from = to) {
    const day = dayOf(times[from] ?? 0);
    to = from + 1;
    while (to < times.length && dayOf(times[to] ?? 0) === day) to += 1;
    days.set(day, times.subarray(from, to));
  }
  return days;
}

/** Collects the changes that a request makes to the known counts of days. */
export class CountChanges {
  readonly #known: (day: SourceDay) => RowCounts;
  readonly #changes = new Map<string, DayCounts>();

  constructor(known: (day: SourceDay) => RowCounts) {
    this.#known = known;
  }

  add({ sourceId, day }: SourceDay, { acquired = 0, stored = 0 }: Partial<RowCounts>): void {
    const before = this.#changes.get(keyOf({ sourceId, day })) ?? { acquired: 0, stored: 0 };
    this.#changes.set(keyOf({ sourceId, day }), {
      sourceId,
      day,
      acquired: before.acquired + acquired,
      stored: before.stored + stored,
    });
  }

  /** Returns the known count of a day with what was added to it. */
  sum(day: SourceDay, count: keyof RowCounts): number {
    return this.#known(day)[count] + (this.#changes.get(keyOf(day))?.[count] ?? 0);
  }

  all(): readonly DayCounts[] {
    return [...this.#changes.values()];
  }
}
