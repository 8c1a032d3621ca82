import type { Edges } from '@catchment/contracts/historic';
import type { BatchApplied } from '@catchment/contracts/ingest';
import type { TimeRange } from '@catchment/ingest-log';
import type { ModelRecord } from '@catchment/testkit/write-model';
import { type ApplyDeps, BatchApplier } from '../src/apply/usecases/apply-batch.ts';
import type { MessageKey, WriteObservations, WriterState } from '../src/apply/usecases/ports.ts';
import { PRESENCE_FACTOR } from '../src/influx/store/storage-layout.ts';
import { sumOf } from '../src/records/domain/expected-records.ts';
import { emptyRecord } from '../src/records/domain/record-set.ts';
import { linesOf } from '../src/records/store/line-protocol.ts';
import type { ExistingRecords, RecordStore } from '../src/records/usecases/ports.ts';

type Fields = Record<string, string>;

/** The store takes real lines and, as InfluxDB does, merges the fields of a point. */
export class MemoryRecords implements RecordStore, ExistingRecords {
  readonly #series = new Map<string, Map<number, Fields>>();
  /** Kinds of requests, in order. */
  readonly asked: string[] = [];
  /** It is called before every step, and throws to break the work off. */
  before: (step: string) => void = () => {};

  #points(nodeId: string): Map<number, Fields> {
    const points = this.#series.get(nodeId) ?? new Map<number, Fields>();
    this.#series.set(nodeId, points);
    return points;
  }

  #live = (nodeId: string, { fromMs, toMs }: TimeRange): number[] =>
    [...this.#points(nodeId)]
      .filter(([time, fields]) => time >= fromMs && time <= toMs && partsOf(fields) !== 0)
      .map(([time]) => time)
      .sort((a, b) => a - b);

  async writeColumns(columns: Parameters<RecordStore['writeColumns']>[0]): Promise<void> {
    for (const line of [...linesOf(columns)].join('\n').split('\n').filter(Boolean)) {
      // Each line may be the last one that gets through.
      this.before('write');
      const [, nodeId = '', fields = '', time = ''] = /^h,s=(\w+) (\S+) (-?\d+)$/.exec(line) ?? [];
      const sent = Object.fromEntries(fields.split(',').map((field) => field.split('=') as [string, string]));
      const points = this.#points(nodeId);
      points.set(Number(time), { ...points.get(Number(time)), ...sent });
    }
  }

  async deleteSeries(nodeIds: readonly string[]): Promise<void> {
    this.before('deleteSeries');
    for (const nodeId of nodeIds) this.#series.delete(nodeId);
  }

  presenceAt: ExistingRecords['presenceAt'] = async (nodeId, timestamps) => {
    this.before('presenceAt');
    this.asked.push('presenceAt');
    return Uint8Array.from(timestamps, (time) => partsOf(this.#points(nodeId).get(time) ?? {}));
  };

  async hasAny(nodeId: string, range: TimeRange): Promise<boolean> {
    this.before('hasAny');
    this.asked.push('hasAny');
    return this.#live(nodeId, range).length > 0;
  }

  async timesIn(nodeId: string, range: TimeRange): Promise<Float64Array | undefined> {
    this.before('timesIn');
    this.asked.push('timesIn');
    const times = this.#live(nodeId, range);
    return times.length > 5 ? undefined : Float64Array.from(times);
  }

  async deleteRange(nodeId: string, { fromMs, toMs }: TimeRange): Promise<void> {
    this.before('deleteRange');
    const points = this.#points(nodeId);
    for (const time of [...points.keys()]) if (time >= fromMs && time <= toMs) points.delete(time);
  }

  /** Sums up what is stored at these times. */
  sumAt(nodeId: string, timestamps: Float64Array): Uint8Array {
    const stored = this.read(nodeId).map(([timeMs, { v, q, a }]) => {
      const parts = { number: typeof v === 'number' ? v : undefined, text: typeof v === 'string' ? v : undefined };
      return [
        timeMs,
        { ...emptyRecord(), timeMs, ...parts, quality: q ?? undefined, annotation: a ?? undefined },
      ] as const;
    });
    return sumOf(timestamps, new Map(stored));
  }

  /** Returns current, previous and oldest record having a number. */
  edges(nodeId: string): Edges {
    const records = this.read(nodeId).flatMap(([timestampMs, { v }]) =>
      typeof v === 'number' ? [{ timestampMs, value: { $case: 'number' as const, value: v } }] : [],
    );
    return { nodeId, newest: records.slice(-2).reverse(), oldest: records[0] };
  }

  /** Returns the records as a reader sees them. */
  read(nodeId: string): [number, ModelRecord][] {
    return [...this.#points(nodeId)]
      .filter(([, fields]) => partsOf(fields) !== 0)
      .sort(([a], [b]) => a - b)
      .map(([time, fields]) => [time, recordOf(fields)]);
  }
}

const partsOf = ({ p }: Fields): number => Number(p?.slice(0, -1) ?? 0) % PRESENCE_FACTOR;

function recordOf(fields: Fields): ModelRecord {
  const parts = partsOf(fields);
  const record: ModelRecord = {};
  if (parts & 1) record.v = fields.t === undefined ? Number(fields.v) : fields.t.slice(1, -1);
  if (parts & 2) record.q = Number(fields.q?.slice(0, -1));
  if (parts & 4) record.a = fields.a?.slice(1, -1) ?? '';
  return record;
}

/** Findings are kept and dropped as the table does it. */
export class MemoryObservations implements WriteObservations {
  readonly #rows = new Map<string, { sequence: number; seen: Map<number, Uint8Array> }>();
  before: () => void = () => {};
  /** Counts how often findings were kept. */
  kept = 0;

  of: WriteObservations['of'] = async (_partition, messages) =>
    messages.map((message) => new Map(this.#rows.get(keyOf(message))?.seen));

  keep: WriteObservations['keep'] = async (partition, findings, unfinishedFrom) => {
    this.before();
    this.kept += 1;
    for (const [key, { sequence }] of this.#rows) if (sequence < unfinishedFrom) this.#rows.delete(key);
    for (const { key, seen } of findings) {
      const known = this.#rows.get(keyOf(key))?.seen ?? [];
      this.#rows.set(keyOf(key), { sequence: key.sequence, seen: new Map([...seen, ...known]) });
    }
    return this.of(
      partition,
      findings.map(({ key }) => key),
    );
  };
}

const keyOf = ({ partition, sequence, digest }: MessageKey): string =>
  `${partition}-${sequence}-${Buffer.from(digest).toString('hex')}`;

/** Keeps deleted nodes and staged parts, as the tables do. */
function memoryState(): WriterState {
  const deleted = new Set<string>();
  const parts = new Map<string, { data: Buffer[]; completedBy?: number }>();
  return {
    deletedAmong: async (nodeIds) => new Set(nodeIds.filter((nodeId) => deleted.has(nodeId))),
    rememberDeleted: async (nodeIds) => {
      for (const nodeId of nodeIds) deleted.add(nodeId);
    },
    stagePart: async ({ columnKey, part, data }) => {
      const staged = parts.get(columnKey) ?? { data: [] };
      parts.set(columnKey, staged);
      staged.data[part] ??= Buffer.from(data);
    },
    partsOf: async (columnKey) => parts.get(columnKey)?.data ?? [],
    markCompleted: async (columnKey, sequence) => {
      const staged = parts.get(columnKey);
      if (staged) staged.completedBy = sequence;
    },
    dropFinished: async (_partition, sequence) => {
      for (const [key, { completedBy = Number.POSITIVE_INFINITY }] of parts)
        if (completedBy < sequence) parts.delete(key);
    },
  };
}

/** Makes a writer that has all of its surroundings in memory. @param deps in place of those */
export function memoryWriter(deps: Partial<ApplyDeps> = {}) {
  const store = new MemoryRecords();
  const observations = new MemoryObservations();
  const published: BatchApplied[] = [];
  const applier = new BatchApplier({
    records: store,
    existing: store,
    sumAt: async ({ nodeId }, timestamps) => {
      store.before('sumAt');
      return store.sumAt(nodeId, timestamps);
    },
    observations,
    state: memoryState(),
    edgesOf: async ({ nodeId }) => store.edges(nodeId),
    log: { warn: () => {} },
    publishApplied: async (partition, applied) => {
      store.before('publish');
      for (const { summary, sequence } of applied) published.push(summary.toMessage(partition, sequence));
    },
    publishSettled: async () => {},
    ...deps,
  });
  return { store, observations, published, applier };
}
