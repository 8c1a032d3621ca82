import type { TimeRange } from '@catchment/ingest-log';
import {
  type InfluxConnection,
  inChunks,
  inTime,
  MARK_OTHER,
  MEASUREMENT,
  ofSeries,
  seriesOf,
  whole,
} from '../../influx/index.ts';

import type { ColumnRun } from '../domain/bucket-runs.ts';
import type { RecordOutlines, VisitNumber } from '../usecases/ports.ts';

const CHUNKS = inChunks(10_000);
/** A column has two statements; an answer of InfluxDB has a document for each. */
const STATEMENTS_PER_REQUEST = 500;

/** Outstanding records, found by InfluxDB. */
export class InfluxOutlines implements RecordOutlines {
  readonly #influx: InfluxConnection;

  constructor(influx: InfluxConnection) {
    this.#influx = influx;
  }

  async extremes(
    nodeId: string,
    { fromMs, toMs, bucketNs, offsetNs }: ColumnRun,
    signal: AbortSignal,
    see: { readonly low: VisitNumber; readonly high: VisitNumber; readonly other: (timeMs: number) => void },
  ): Promise<void> {
    const of =
      ` FROM "${MEASUREMENT}" WHERE ${ofSeries(nodeId)} AND time >= ${whole(fromMs)}ms AND time < ${whole(toMs)}ms` +
      ` GROUP BY time(${bucketNs}ns, ${offsetNs}ns) fill(none)`;
    // A selector with the tag lets each bucket be reduced where its shard is read; unlike max(), it answers the time of the record itself.
    const statements = [`SELECT bottom("v", "s", 1)${of}`, `SELECT top("v", "s", 1)${of}`, `SELECT sum("x")${of}`];
    await this.#ask(statements, signal, ({ columns = [], values = [] }) => {
      const visit = columns[1] === 'bottom' ? see.low : columns[1] === 'top' ? see.high : undefined;
      for (const [time, figure] of values) {
        if (visit) visit(Number(time), Number(figure));
        // A bucket may begin within the millisecond before the first of its column, and one more in the last column.
        else if (Number(figure) >= MARK_OTHER) see.other(Math.min(Math.max(fromMs, Number(time) + 1), toMs - 1));
      }
    });
  }

  async numbers(nodeId: string, range: TimeRange, signal: AbortSignal, visit: VisitNumber): Promise<boolean> {
    const of = ` FROM "${MEASUREMENT}" WHERE ${ofSeries(nodeId)} AND ${inTime(range)}`;
    let marks = 0;
    await this.#ask([`SELECT sum("x")${of}`], signal, ({ values = [] }) => {
      marks = Number(values[0]?.[1] ?? 0);
    });
    if (marks >= MARK_OTHER) return false;
    await this.#visit([`SELECT "v"${of}`], signal, visit);
    return true;
  }

  async edgesCost(nodeId: string, some: readonly TimeRange[], signal: AbortSignal): Promise<number> {
    const began = performance.now();
    await this.edges(nodeId, some, signal, () => undefined);
    return (performance.now() - began) / Math.max(some.length, 1);
  }

  async edges(nodeId: string, ranges: readonly TimeRange[], signal: AbortSignal, visit: VisitNumber): Promise<void> {
    const numbers = `SELECT "v" FROM "${MEASUREMENT}" WHERE ${ofSeries(nodeId)} AND `;
    for (let from = 0; from < ranges.length; from += STATEMENTS_PER_REQUEST / 2) {
      const some = ranges.slice(from, from + STATEMENTS_PER_REQUEST / 2).flatMap((range) => {
        const within = numbers + inTime(range);
        return [`${within} ORDER BY time ASC LIMIT 1`, `${within} ORDER BY time DESC LIMIT 1`];
      });
      await this.#visit(some, signal, visit);
    }
  }

  /** @param statements each for the field of numbers alone */
  async #visit(statements: readonly string[], signal: AbortSignal, visit: VisitNumber): Promise<void> {
    await this.#ask(statements, signal, ({ values = [] }) => {
      for (const row of values) visit(Number(row[0]), Number(row[1]));
    });
  }

  async #ask(
    statements: readonly string[],
    signal: AbortSignal,
    read: (series: {
      readonly columns?: readonly string[];
      readonly values?: readonly (readonly (number | string | null)[])[];
    }) => void,
  ): Promise<void> {
    try {
      for await (const chunk of seriesOf(this.#influx.query(statements.join('; '), CHUNKS, signal)))
        chunk.forEach(read);
    } catch (error) {
      failure(error, signal);
    }
  }
}

/** Throws the reason (too slow, caller left) rather than its effect on the connection. */
function failure(error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted();
  throw error;
}
