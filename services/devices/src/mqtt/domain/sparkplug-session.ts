import type { SparkplugMetric, SparkplugPayload } from '@catchment/contracts/sparkplug';
import { COLUMNS_MAX } from '@catchment/ids';
import { countOf } from '@catchment/number-format';
import { formatIsoMs, isInstantMs } from '@catchment/time';
import type { SparkplugTopic } from './topic.ts';

/** A message of Sparkplug B has brought this. */
export type Taken = {
  /** JTS documents of at most COLUMNS_MAX series each. */
  readonly documents: readonly object[];
  /** This is wrong with the message, for people; absent: nothing. */
  readonly problem?: string;
  /** Something was missed: the edge node must be asked for its birth. */
  readonly needsBirth: boolean;
};

type DataType = 'NUMBER' | 'BOOLEAN' | 'TEXT' | 'TIME';
type Metric = { readonly name: string; readonly type: number };
type Value = { readonly series: string; readonly dataType: DataType; readonly ts: string; readonly v: unknown };
/** The edge node has sent its birth certificate. */
type EdgeNode = {
  lastSeq: number;
  readonly bdSeq: string | undefined;
  /** A birth has announced these metrics by alias and by name. The key is the device; '' is the node itself. */
  readonly metrics: Map<string, Map<string, Metric>>;
};

/** One connection remembers at most this many metrics and devices of all births, by name and by alias. */
const METRICS_MAX = 10_000;
const TOO_MANY = `names and aliases of the births are more than ${METRICS_MAX}: some are not known by alias`;
/** One connection has at most this many edge nodes: mostly one, but a gateway may speak for more. */
const NODES_MAX = 16;
const SEQ_END = 256;
const CONTROL = /^(?:bdSeq$|(?:Node|Device) Control\/)/;
const BIG = 2n ** 64n;

/** The signed types have these bits, by their numbers. */
const SIGNED: Readonly<Record<number, number>> = { 1: 8, 2: 16, 3: 32, 4: 64 };
const DATE_TIME = 13;
/** Series are Int8 to Double, Boolean, String, DateTime, Text, UUID; data sets, templates, files and arrays are no series. */
const LAST_NUMBER = 10;
const TYPES: Readonly<Record<number, DataType>> = {
  ...Object.fromEntries(Array.from({ length: LAST_NUMBER }, (_, n) => [n + 1, 'NUMBER' as const])),
  11: 'BOOLEAN',
  12: 'TEXT',
  [DATE_TIME]: 'TIME',
  14: 'TEXT',
  15: 'TEXT',
};

/** Keeps the state of Sparkplug B on one connection: births, aliases, sequence (docs/reference/acquisition.md#sparkplug-b). */
export class SparkplugSession {
  readonly #nodes = new Map<string, EdgeNode>();
  #metrics = 0;

  take(topic: SparkplugTopic, payload: SparkplugPayload, nowMs: number): Taken {
    const id = `${topic.group}/${topic.node}`;
    switch (topic.type) {
      case 'NDEATH':
        return this.#died(id, payload);
      case 'NBIRTH':
        return this.#born(id, payload, nowMs);
      case 'DBIRTH':
      case 'NDATA':
      case 'DDATA':
      case 'DDEATH':
        return this.#next(id, topic, payload, nowMs);
      default:
        return { documents: [], needsBirth: false, problem: `${topic.type}: is no message of an edge node` };
    }
  }

  #born(id: string, payload: SparkplugPayload, nowMs: number): Taken {
    this.#forget(id);
    const node: EdgeNode = { lastSeq: payload.seq ?? 0, bdSeq: bdSeqOf(payload), metrics: new Map() };
    const [oldest] = this.#nodes.keys();
    if (this.#nodes.size >= NODES_MAX && oldest !== undefined) this.#forget(oldest);
    this.#nodes.set(id, node);
    return this.#withMetrics(node, '', payload, nowMs);
  }

  #next(id: string, { type, device }: SparkplugTopic, payload: SparkplugPayload, nowMs: number): Taken {
    const node = this.#nodes.get(id);
    if (!node) {
      // A metric with a name and a type is a record all the same.
      const { documents } = this.#values(new Map(), device, payload, nowMs);
      return { documents, needsBirth: true, problem: `${type}: comes before the birth of the edge node` };
    }
    const expected = (node.lastSeq + 1) % SEQ_END;
    const isNext = payload.seq === expected;
    node.lastSeq = payload.seq ?? expected;
    const missed = isNext ? {} : { needsBirth: true, problem: `seq: ${payload.seq ?? 'none'} came, not ${expected}` };
    if (type === 'DDEATH') {
      this.#forgetDevice(node, device);
      return { documents: [], needsBirth: false, ...missed };
    }
    const taken =
      type === 'DBIRTH'
        ? this.#withMetrics(node, device, payload, nowMs)
        : this.#values(node.metrics.get(device) ?? new Map(), device, payload, nowMs);
    return { ...taken, ...missed };
  }

  #died(id: string, payload: SparkplugPayload): Taken {
    const bdSeq = bdSeqOf(payload);
    // An earlier connection of the edge node may die after this one was born.
    if (this.#nodes.get(id)?.bdSeq === bdSeq) this.#forget(id);
    return { documents: [], needsBirth: false };
  }

  #forget(id: string): void {
    for (const metrics of this.#nodes.get(id)?.metrics.values() ?? []) this.#metrics -= 1 + metrics.size;
    this.#nodes.delete(id);
  }

  #forgetDevice({ metrics }: EdgeNode, device: string): void {
    const known = metrics.get(device);
    if (known) this.#metrics -= 1 + known.size;
    metrics.delete(device);
  }

  #withMetrics(node: EdgeNode, device: string, payload: SparkplugPayload, nowMs: number): Taken {
    this.#forgetDevice(node, device);
    if (this.#metrics >= METRICS_MAX) {
      const { documents } = this.#values(new Map(), device, payload, nowMs);
      return { documents, needsBirth: false, problem: TOO_MANY };
    }
    const known = new Map<string, Metric>();
    node.metrics.set(device, known);
    for (const { name, alias, datatype } of payload.metrics) {
      if (!name || this.#metrics + known.size >= METRICS_MAX) continue;
      const metric = { name, type: datatype ?? 0 };
      known.set(`=${name}`, metric);
      if (alias !== undefined) known.set(alias, metric);
    }
    this.#metrics += 1 + known.size;
    const taken = this.#values(known, device, payload, nowMs);
    if (this.#metrics < METRICS_MAX) return taken;
    return { ...taken, problem: TOO_MANY };
  }

  #values(known: ReadonlyMap<string, Metric>, device: string, payload: SparkplugPayload, nowMs: number): Taken {
    const values: Value[] = [];
    let unknown = 0;
    for (const metric of payload.metrics) {
      const metricAt = metric.name ? known.get(`=${metric.name}`) : known.get(metric.alias ?? '');
      const name = metric.name || metricAt?.name;
      if (!name) {
        unknown += 1;
        continue;
      }
      if (CONTROL.test(name)) continue;
      const type = metric.datatype ?? metricAt?.type ?? 0;
      const dataType = TYPES[type];
      const v = dataType && metricValue(metric, type, dataType);
      if (dataType === undefined || v === undefined) continue;
      const timeMs = Number(metric.timestamp ?? payload.timestamp ?? nowMs);
      if (!isInstantMs(timeMs)) continue;
      values.push({ series: device ? `${device}/${name}` : name, dataType, ts: formatIsoMs(timeMs), v });
    }
    const documents = documentsOf(values);
    if (unknown === 0) return { documents, needsBirth: false };
    return {
      documents,
      needsBirth: true,
      problem: `${countOf(unknown, 'metric has', 'metrics have')} an alias that no birth has named`,
    };
  }
}

/** Asks an edge node for its births (Sparkplug B 3.0, 6.4.17). */
export const rebirthCommand = (nowMs: number): SparkplugPayload => ({
  timestamp: String(nowMs),
  metrics: [
    {
      name: 'Node Control/Rebirth',
      timestamp: String(nowMs),
      datatype: 11,
      value: { $case: 'booleanValue', value: true },
    },
  ],
});

function bdSeqOf({ metrics }: SparkplugPayload): string | undefined {
  const value = metrics.find(({ name }) => name === 'bdSeq')?.value?.value;
  return value === undefined ? undefined : String(value);
}

/** Undefined: it has no value. */
function metricValue({ value, isNull }: SparkplugMetric, type: number, dataType: DataType): unknown {
  if (isNull || !value) return undefined;
  if (dataType === 'TEXT') return value.$case === 'stringValue' ? value.value : undefined;
  if (dataType === 'BOOLEAN') return value.$case === 'booleanValue' ? value.value : undefined;
  const number = numberOf(value, type);
  if (number === undefined || !Number.isFinite(number)) return undefined;
  if (dataType === 'NUMBER') return number;
  return isInstantMs(number) ? formatIsoMs(number) : undefined;
}

function numberOf(value: NonNullable<SparkplugMetric['value']>, type: number): number | undefined {
  switch (value.$case) {
    case 'intValue':
    case 'longValue': {
      const bits = SIGNED[type];
      const whole = BigInt(value.value);
      return Number(bits === undefined ? (whole + BIG) % BIG : BigInt.asIntN(bits, whole));
    }
    case 'floatValue':
    case 'doubleValue':
      return value.value;
    default:
      return undefined;
  }
}

function documentsOf(values: readonly Value[]): object[] {
  const columns = new Map<string, DataType>();
  for (const { series, dataType } of values) columns.set(series, dataType);
  const all = [...columns];
  const documents: object[] = [];
  for (let from = 0; from < all.length; from += COLUMNS_MAX) {
    const places = new Map(all.slice(from, from + COLUMNS_MAX).map(([series], n) => [series, n]));
    const rows = new Map<string, Record<number, { v: unknown }>>();
    for (const { series, ts, v } of values) {
      const n = places.get(series);
      if (n === undefined) continue;
      const fields = rows.get(ts) ?? {};
      fields[n] = { v };
      rows.set(ts, fields);
    }
    const header = Object.fromEntries([...places].map(([series, n]) => [n, headerOf(series, columns.get(series))]));
    const data = [...rows].map(([ts, f]) => ({ ts, f }));
    documents.push({ docType: 'jts', version: '1.0', header: { columns: header }, data });
  }
  return documents;
}

const headerOf = (series: string, dataType: DataType | undefined) => ({ name: series, series, dataType });
