import type { DayCounts, SourceDay } from '../domain/source-days.ts';

export type SourceAcquisition = { readonly sourceId: string; readonly acquisitionId: string };

/** Counts the rows that sources have brought by day, over all replicas. */
export type DailyRows = {
  /** Counts so far; days without rows are left out. */
  load(days: readonly SourceDay[]): Promise<DayCounts[]>;
  /** Adds rows, which may be fewer than none. @returns the sums of all replicas */
  add(counts: readonly DayCounts[]): Promise<DayCounts[]>;
  /** Removes days that were not touched for long, when they are far below any limit or their source is deleted. */
  purge(belowRows: number): Promise<void>;
  /** Notes that an acquisition began exempt from the limit of what arrives; forgotten after 8 days. */
  exempt(acquisition: SourceAcquisition): Promise<void>;
  isExempt(acquisition: SourceAcquisition): Promise<boolean>;
  /** Runs `work` while no other replica counts rows of these sources. */
  locked<T>(sourceIds: readonly string[], work: () => Promise<T>): Promise<T>;
};
