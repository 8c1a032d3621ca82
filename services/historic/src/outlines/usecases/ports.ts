import type { TimeRange } from '@catchment/ingest-log';
import type { ColumnRun } from '../domain/bucket-runs.ts';

export type VisitNumber = (timeMs: number, number: number) => void;

/** Finds single records that stand out in a number series, of those that are a number and nothing else. */
export type RecordOutlines = {
  /**
   * Finds a lowest and a highest record of each bucket, in any order. `other` gets a time in each bucket where there is anything else, live
   * or deleted, which only its records can show.
   */
  extremes(
    nodeId: string,
    run: ColumnRun,
    signal: AbortSignal,
    see: { readonly low: VisitNumber; readonly high: VisitNumber; readonly other: (timeMs: number) => void },
  ): Promise<void>;
  /**
   * Visits all of a range, oldest first: this costs half of a scan, which looks for more than numbers in each record.
   * @returns false, without any, where there may be anything else
   */
  numbers(nodeId: string, range: TimeRange, signal: AbortSignal, visit: VisitNumber): Promise<boolean>;
  /**
   * Returns the milliseconds that `edges` takes for each range, measured at some. They may be many: for each statement, InfluxDB copies all
   * that a shard has of a series and has not yet put into files.
   */
  edgesCost(nodeId: string, some: readonly TimeRange[], signal: AbortSignal): Promise<number>;
  /** Finds the first and the last record of each range. */
  edges(nodeId: string, ranges: readonly TimeRange[], signal: AbortSignal, visit: VisitNumber): Promise<void>;
};
