import { scopeOf, serviceCaller } from '@catchment/access';
import { HistoricServiceService } from '@catchment/contracts/historic';
import type { SeriesTouch } from '@catchment/contracts/ingest';
import { type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { invalid, notFound, unavailable } from '@catchment/errors';
import { qualityTypeOf } from '@catchment/quality';
import { fakeHandlers } from '@catchment/testkit';

export type Stored = { readonly value?: number | string | undefined; readonly quality?: number };
type Written = { readonly nodeId: string; readonly timeMs: number; readonly isAnnounced: boolean };

/** Stores series in memory behind the contract of the historic service. */
export class FakeHistoric {
  readonly nodes: ReadonlyMap<string, NodeConfig>;
  readonly series = new Map<string, Map<number, Stored>>();
  /** All records were written in this order. */
  readonly written: Written[] = [];
  readonly emptied: string[] = [];
  /** Counts how often each call came. */
  readonly calls = { read: 0, aggregate: 0, write: 0 };
  /** Records in the largest answer. */
  largest = 0;
  isAway = false;
  /** Called around a write: throws before or after the write has happened. */
  onWrite: (phase: 'before' | 'after') => void = () => {};
  /** Says what has reached the store, as `touchesOf` of each series. */
  applied: (touches: ReadonlyMap<string, readonly Partial<SeriesTouch>[]>) => Promise<void> = async () => {};
  /** Says whether the store has all that the log has of a series. */
  isStored: (nodeId: string) => boolean = () => true;
  /** Records that were written before a time, as `getEdges` is asked for them. */
  newestBefore: (nodeId: string, beforeMs: number) => number | undefined = () => undefined;

  constructor(nodes: ReadonlyMap<string, NodeConfig>) {
    this.nodes = nodes;
  }

  put(nodeId: string, records: readonly (readonly [number, Stored['value'] | null, number?])[]): void {
    const series = this.of(nodeId);
    for (const [timeMs, value, quality] of records) {
      if (value === null && quality === undefined) series.delete(timeMs);
      else series.set(timeMs, { ...(value !== null && { value }), ...(quality !== undefined && { quality }) });
    }
  }

  of(nodeId: string): Map<number, Stored> {
    const known = this.series.get(nodeId);
    if (known) return known;
    const made = new Map<number, Stored>();
    this.series.set(nodeId, made);
    return made;
  }

  /** `[time, value]`, ascending. */
  values(nodeId: string): [number, number | string | undefined][] {
    return this.#sorted(nodeId).map(([timeMs, { value }]) => [timeMs, value]);
  }

  #sorted(nodeId: string): [number, Stored][] {
    return [...this.of(nodeId)].sort(([a], [b]) => a - b);
  }

  #visible(nodeId: string, excluded: string | undefined): [number, Stored][] {
    const types = excluded === undefined ? [] : excluded.split(',');
    return this.#sorted(nodeId).filter(([, { quality }]) => !types.includes(qualityTypeOf(quality)));
  }

  #node(nodeId: string, ownerId: string): NodeConfig {
    if (this.isAway) throw unavailable('HISTORIC_AWAY');
    const node = this.nodes.get(nodeId);
    if (node?.ownerId !== ownerId) throw notFound();
    return node;
  }

  readonly handlers = fakeHandlers(HistoricServiceService, {
    readSeries: (request, { caller }) => {
      this.calls.read += 1;
      const node = this.#node(request.nodeRef, scopeOf(caller, request.ownerId).ownerId);
      const { startMs = Number.NEGATIVE_INFINITY, endMs = Number.POSITIVE_INFINITY, limit } = request;
      if (startMs > endMs) throw invalid('RANGE_REVERSED', 'startMs: must not be after endMs');
      const { aggregate, qualityExcluded } = request.arguments;
      const all = this.#visible(node.nodeId, qualityExcluded);
      if (aggregate) {
        const { baseTime = '', interval = '' } = request.arguments;
        const starts: number[] = [];
        for (
          let at = intervalAt(baseTime, interval, startMs).start;
          at < endMs && starts.length < limit;
          at = intervalAt(baseTime, interval, at).end
        )
          starts.push(at);
        return chunk(
          node,
          starts.map((at) => [at, {}]),
        );
      }
      const within = all.filter(([timeMs]) => timeMs >= startMs && timeMs <= endMs);
      const rows =
        request.startMs === undefined && limit > 0 ? within.slice(-limit) : within.slice(0, limit || undefined);
      this.largest = Math.max(this.largest, rows.length);
      return chunk(node, rows);
    },
    readAggregateAt: (request, { caller }) => {
      serviceCaller(caller);
      this.calls.aggregate += 1;
      const node = this.#node(request.nodeId, request.ownerId);
      if (!/^\d+[SMHD]$/.test(request.interval))
        throw invalid('INVALID_INTERVAL', 'interval: must be a period such as 1D');
      const records = this.#visible(node.nodeId, request.qualityExcluded).filter(
        ([, { value }]) => value !== undefined,
      );
      const times = floats(request.times);
      const at = [...times].map((timeMs) => ({ timeMs, ...intervalAt(request.baseTime, request.interval, timeMs) }));
      const results = at.map(({ timeMs, start, end }) =>
        aggregateOf(
          request.aggregate,
          records
            .filter(([ms]) => ms >= start && ms < end && (request.wholeIntervals || ms <= timeMs))
            .map(([, { value }]) => Number(value)),
          request.percentile,
        ),
      );
      return (async function* () {
        yield {
          numbers: bytes(results.map((value) => value ?? Number.NaN)),
          texts: [],
          qualities: Buffer.from(Int32Array.from(results, () => -1).buffer),
          starts: bytes(at.map(({ start }) => start)),
          ends: bytes(at.map(({ end }) => end)),
          newestMs: records.at(-1)?.[0],
        };
      })();
    },
    getEdges: async ({ ownerId, nodeIds, writtenBeforeMs }, { caller }) => {
      serviceCaller(caller);
      const earlier = writtenBeforeMs.map((beforeMs, n) => {
        const timestampMs = this.newestBefore(nodeIds[n] ?? '', beforeMs);
        const newest = timestampMs === undefined ? [] : [{ timestampMs, value: undefined }];
        return { nodeId: nodeIds[n] ?? '', newest, oldest: undefined };
      });
      return {
        edges: nodeIds.map((nodeId) => {
          this.#node(nodeId, ownerId);
          const last = this.#sorted(nodeId).findLast(([, { value }]) => value !== undefined);
          const newest = last
            ? [
                {
                  timestampMs: last[0],
                  value: { $case: 'number' as const, value: Number(last[1].value) },
                  quality: last[1].quality,
                },
              ]
            : [];
          return { nodeId, newest, oldest: undefined };
        }),
        earlier,
      };
    },
    writeComputed: async ({ ownerId, sourceId, series }, { caller }) => {
      serviceCaller(caller, 'processing');
      this.calls.write += 1;
      this.onWrite('before');
      for (const { nodeId } of series) if (this.#node(nodeId, ownerId).sourceId !== sourceId) throw notFound();
      const touched = new Map<string, Partial<SeriesTouch>[]>();
      for (const touchedSeries of series) {
        const touches: Partial<SeriesTouch>[] = [];
        touched.set(touchedSeries.nodeId, touches);
        if (touchedSeries.empties) {
          this.of(touchedSeries.nodeId).clear();
          this.emptied.push(touchedSeries.nodeId);
        }
        if (touchedSeries.clears) {
          const { fromMs, toMs } = touchedSeries.clears;
          for (const timeMs of this.of(touchedSeries.nodeId).keys())
            if (timeMs >= fromMs && timeMs <= toMs) this.of(touchedSeries.nodeId).delete(timeMs);
          touches.push({
            ...touchedSeries.clears,
            clears: true,
            silent: toMs < (touchedSeries.toldFromMs ?? Number.NEGATIVE_INFINITY),
          });
        }
        touches.push(...touchesOf([...floats(touchedSeries.timestamps)], false));
        const numbers = floats(touchedSeries.numbers);
        const qualities = new Int32Array(Uint8Array.from(touchedSeries.qualities).buffer);
        for (const [n, timeMs] of floats(touchedSeries.timestamps).entries()) {
          const value = touchedSeries.texts.length > 0 ? touchedSeries.texts[n] || undefined : numbers[n];
          const quality = qualities[n] ?? -1;
          const isValue = value !== undefined && !Number.isNaN(value);
          if (touchedSeries.removesAbsent && !isValue && quality < 0) this.of(touchedSeries.nodeId).delete(timeMs);
          else
            this.of(touchedSeries.nodeId).set(timeMs, { ...(isValue && { value }), ...(quality >= 0 && { quality }) });
          this.written.push({
            nodeId: touchedSeries.nodeId,
            timeMs,
            isAnnounced: timeMs >= (touchedSeries.toldFromMs ?? Number.NEGATIVE_INFINITY),
          });
        }
      }
      await this.applied(touched);
      this.onWrite('after');
      return {};
    },
    getProgress: async ({ nodeId, sequence }) => ({ isStored: sequence === 0 || this.isStored(nodeId), pending: 0 }),
  });
}

/** Returns what a write at these times touches, as historic reports it. */
export const touchesOf = (times: readonly number[], silent: boolean): Partial<SeriesTouch>[] => {
  const [fromMs, toMs] = [times[0], times.at(-1)];
  if (fromMs === undefined || toMs === undefined) return [];
  return [{ fromMs, toMs, silent, clears: false, ...(times.length > 1 && { timestamps: bytes(times) }) }];
};

const UNITS: Record<string, number> = { S: 1_000, M: 60_000, H: 3_600_000, D: 86_400_000 };
/** Bases `H`, `D` and `D+9H`, intervals of one unit, in UTC. */
export function intervalAt(baseTime: string, interval: string, timeMs: number): { start: number; end: number } {
  const [, count = '1', unit = 'D'] = /^(\d+)([SMHD])$/.exec(interval) ?? [];
  const [, hours = '0'] = /\+(\d+)H$/.exec(baseTime) ?? [];
  const length = Number(count) * (UNITS[unit] ?? 0);
  const offset = Number(hours) * 3_600_000;
  const start = Math.floor((timeMs - offset) / length) * length + offset;
  return { start, end: start + length };
}

function aggregateOf(name: string, values: readonly number[], percentile = ''): number | undefined {
  if (name === 'COUNT') return values.length;
  if (values.length === 0) return undefined;
  const total = values.reduce((sum, value) => sum + value, 0);
  if (name === 'TOTAL') return total;
  if (name === 'AVERAGE') return total / values.length;
  if (name === 'MAX') return Math.max(...values);
  if (name === 'START') return values[0];
  if (name === 'END') return values.at(-1);
  if (name === 'PERCENTILE') {
    const sorted = values.toSorted((a, b) => a - b);
    const rank = ((sorted.length - 1) * Number(percentile)) / 100;
    const [lower = 0, upper = 0] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
    return lower + (upper - lower) * (rank % 1);
  }
  throw new Error(`no ${name} here`);
}

async function* chunk(node: NodeConfig, rows: readonly (readonly [number, Stored])[]) {
  const valueType = node.series?.valueType ?? ValueType.VALUE_TYPE_NUMBER;
  const isText = valueType === ValueType.VALUE_TYPE_TEXT;
  const { multiplier = 1, offset = 0 } = node.series ?? {};
  yield {
    node,
    valueType,
    timestamps: bytes(rows.map(([timeMs]) => timeMs)),
    numbers: isText
      ? Buffer.alloc(0)
      : bytes(rows.map(([, { value }]) => (value === undefined ? Number.NaN : Number(value) * multiplier + offset))),
    texts: isText ? rows.map(([, { value }]) => String(value ?? '')) : [],
    qualities: Buffer.from(Int32Array.from(rows, ([, { quality }]) => quality ?? -1).buffer),
  };
}

const bytes = (values: readonly number[]): Buffer => Buffer.from(Float64Array.from(values).buffer);
const floats = (from: Uint8Array): Float64Array => new Float64Array(Uint8Array.from(from).buffer);
