import { unavailable } from '@catchment/errors';
import {
  type InfluxConnection,
  type InfluxSeries,
  inChunks,
  MARK_OTHER,
  MEASUREMENT,
  ofAnySeries,
  seriesOf,
  whole,
} from '../../influx/index.ts';

import type { BucketRun } from '../domain/bucket-runs.ts';
import type { Bucket } from '../domain/interval-folder.ts';
import { STORE_CALLS, type StoreCall } from '../domain/store-plan.ts';
import type { RecordSummaries } from '../usecases/ports.ts';

/** One statement asks for this many series: its text stays small, and so does what InfluxDB holds open for it. */
const SERIES_PER_STATEMENT = 100;
const CHUNK_ROWS = 10_000;

/** Aggregates in InfluxDB. */
export class InfluxSummaries implements RecordSummaries {
  readonly #influx: InfluxConnection;

  constructor(influx: InfluxConnection) {
    this.#influx = influx;
  }

  async summarize(
    nodeIds: readonly string[],
    calls: readonly StoreCall[],
    run: BucketRun,
    signal: AbortSignal,
    visit: (nodeId: string, bucket: Bucket) => void,
  ): Promise<void> {
    for (let from = 0; from < nodeIds.length; from += SERIES_PER_STATEMENT) {
      const statement = statementOf(nodeIds.slice(from, from + SERIES_PER_STATEMENT), calls, run);
      try {
        for await (const chunk of seriesOf(this.#influx.query(statement, inChunks(CHUNK_ROWS), signal))) {
          for (const series of chunk) readBuckets(series, calls, visit);
        }
      } catch (error) {
        // The caller gets the reason (too slow, caller left) rather than its effect on the connection.
        signal.throwIfAborted();
        throw error;
      }
    }
  }
}

function statementOf(
  nodeIds: readonly string[],
  calls: readonly StoreCall[],
  { fromMs, toMs, bucketMs, offsetMs }: BucketRun,
): string {
  const figures = calls.map((call) => `${call}("v")`).join(', ');
  return (
    `SELECT ${figures}, sum("x") FROM "${MEASUREMENT}" WHERE ${ofAnySeries(nodeIds)}` +
    ` AND time >= ${whole(fromMs)}ms AND time < ${whole(toMs)}ms` +
    ` GROUP BY "s", time(${whole(bucketMs)}ms, ${whole(offsetMs)}ms) fill(none)`
  );
}

function readBuckets(
  { tags, values }: InfluxSeries,
  calls: readonly StoreCall[],
  visit: (nodeId: string, bucket: Bucket) => void,
): void {
  const nodeId = tags?.s;
  if (nodeId === undefined) throw unavailable('INFLUX_REFUSED', { cause: new Error('a series without its tag') });
  const bucket = emptyBucket();
  const marksAt = calls.length + 1;
  for (const row of values ?? []) {
    bucket.startMs = Number(row[0]);
    for (const [n, call] of calls.entries()) bucket[call] = numberIn(row[n + 1]);
    const marks = Number(row[marksAt] ?? 0);
    bucket.isPlain = marks < MARK_OTHER;
    bucket.hasNegatives = marks > 0;
    visit(nodeId, bucket);
  }
}

const numberIn = (cell: number | string | null | undefined): number =>
  cell === null || cell === undefined ? Number.NaN : Number(cell);

const emptyBucket = (): Bucket => ({
  startMs: 0,
  isPlain: true,
  hasNegatives: false,
  ...(Object.fromEntries(STORE_CALLS.map((call) => [call, Number.NaN])) as Record<
    (typeof STORE_CALLS)[number],
    number
  >),
});
