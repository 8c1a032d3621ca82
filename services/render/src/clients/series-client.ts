import type { HistoricServiceService, SeriesChunk } from '@catchment/contracts/historic';
import { ValueType } from '@catchment/contracts/nodes';
import { tooLarge } from '@catchment/errors';
import type { GrpcClient } from '@catchment/grpc';
import { MAX_INSTANT_MS, MIN_INSTANT_MS } from '@catchment/time';
import { type Records, stateIndexOf } from '../domain/chart-series.ts';
import type { Parameter } from '../domain/parameter.ts';
import type { SeriesRecords } from '../usecases/ports.ts';
import { callOptions } from './call-options.ts';
import { float64Of, int32Of } from './packed-columns.ts';

type Historic = Pick<GrpcClient<HistoricServiceService>, 'readSeries'>;

/** Bounding records come on top of what was asked. */
const BOUNDING_RECORDS = 2;
/** No aggregate. */
const PLAIN = { arguments: {}, arrivalMs: 0, ownerId: '' };
/** Texts repeat: states of this many different ones are remembered. */
const REMEMBERED_TEXTS = 1_000;

/** Records from the historic service, seen with the caller's own rights. */
export function seriesClient(historic: Historic): SeriesRecords {
  return {
    async read(parameter, { startMs, endMs, maxRecords }, call) {
      const chunks = historic.readSeries(
        {
          nodeRef: parameter.nodeId,
          startMs,
          endMs,
          limit: maxRecords + 1,
          bounding: true,
          transformed: true,
          ...PLAIN,
        },
        callOptions(call),
      );
      const records = await collect(chunks, parameter, maxRecords + 1 + BOUNDING_RECORDS);
      if (!records) throw tooLarge();
      return countInside(records.timestamps, startMs, endMs) <= maxRecords ? records : { ...records, isCut: true };
    },
    async outline(parameter, { startMs, endMs, columns, wholeUpTo, maxRecords }, call) {
      const asked = { reduce: 'M4', width: String(columns) };
      const query = { ...PLAIN, limit: 0, bounding: true, transformed: true, arguments: asked, wholeUpTo };
      const chunks = historic.readSeries({ nodeRef: parameter.nodeId, startMs, endMs, ...query }, callOptions(call));
      return collect(chunks, parameter, maxRecords + BOUNDING_RECORDS);
    },
    async aggregate(parameter, { startMs, endMs, maxRecords, arguments: given, nowMs }, call) {
      const query = { ...PLAIN, limit: 0, bounding: false, transformed: true, arguments: given, arrivalMs: nowMs };
      const chunks = historic.readSeries({ nodeRef: parameter.nodeId, startMs, endMs, ...query }, callOptions(call));
      const records = await collect(chunks, parameter, maxRecords, given.renderType === 'STATE');
      return records && { ...records, isAggregate: true };
    },
    async rows(parameter, { startMs, endMs, limit, maxRecords, arguments: given, nowMs }, call) {
      const query = { ...PLAIN, limit, bounding: false, transformed: true, arguments: given, arrivalMs: nowMs };
      const chunks = historic.readSeries(
        {
          nodeRef: parameter.nodeId,
          ...(startMs !== undefined && { startMs }),
          ...(endMs !== undefined && { endMs }),
          ...query,
        },
        callOptions(call),
      );
      return collect(chunks, parameter, maxRecords);
    },
    async edges(parameter, call) {
      const request = { nodeRef: parameter.nodeId, limit: 1, bounding: false, transformed: false, ...PLAIN };
      const [firstMs, lastMs] = await Promise.all([
        firstTime(historic.readSeries({ ...request, startMs: MIN_INSTANT_MS }, callOptions(call))),
        firstTime(historic.readSeries({ ...request, endMs: MAX_INSTANT_MS }, callOptions(call))),
      ]);
      return { firstMs, lastMs };
    },
  };
}

async function firstTime(chunks: AsyncIterable<SeriesChunk>): Promise<number | null> {
  for await (const { timestamps } of chunks) {
    const [first] = float64Of(timestamps);
    if (first !== undefined) return first;
  }
  return null;
}

/**
 * @param areStates texts are names of states, not what states are matched with
 * @returns undefined for more than `maxHeld`
 */
async function collect(
  chunks: AsyncIterable<SeriesChunk>,
  parameter: Parameter,
  maxHeld: number,
  areStates = false,
): Promise<Records | undefined> {
  const times: Float64Array[] = [];
  const values: (Float64Array | Int32Array)[] = [];
  const qualities: Int32Array[] = [];
  const stateOfText = areStates ? stateNames(parameter) : textStates(parameter);
  let held = 0;
  let hasQualities = false;
  let isWhole = false;
  let isText = parameter.valueType === 'TEXT' || areStates;
  for await (const chunk of chunks) {
    // Counts are numbers, whatever is counted.
    if (chunk.valueType !== ValueType.VALUE_TYPE_UNSPECIFIED) isText = chunk.valueType === ValueType.VALUE_TYPE_TEXT;
    isWhole ||= chunk.isWhole === true;
    const time = float64Of(chunk.timestamps);
    held += time.length;
    if (held > maxHeld) return undefined;
    times.push(time);
    values.push(isText ? Int32Array.from(chunk.texts, stateOfText) : float64Of(chunk.numbers));
    hasQualities ||= chunk.qualities.length > 0;
    qualities.push(chunk.qualities.length > 0 ? int32Of(chunk.qualities) : new Int32Array(time.length).fill(-1));
  }
  return {
    timestamps: joined(times, new Float64Array(held)),
    values: isText ? joined(values, new Int32Array(held)) : joined(values, new Float64Array(held)),
    ...(hasQualities && { qualities: joined(qualities, new Int32Array(held)) }),
    ...(isWhole && { isWhole }),
  };
}

function countInside(times: Float64Array, startMs: number, endMs: number): number {
  let count = 0;
  for (const time of times) if (time >= startMs && time <= endMs) count++;
  return count;
}

function joined<T extends Float64Array | Int32Array>(parts: readonly (Float64Array | Int32Array)[], into: T): T {
  let offset = 0;
  for (const part of parts) {
    into.set(part, offset);
    offset += part.length;
  }
  return into;
}

/** The text "" stands for a record without a text. */
function textStates(parameter: Parameter): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    if (text === '') return -1;
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const state = stateIndexOf(parameter, text);
    if (known.size < REMEMBERED_TEXTS) known.set(text, state);
    return state;
  };
}

const stateNames = ({ states }: Parameter): ((name: string) => number) => {
  const indexes = new Map(states.states.map(({ name }, index) => [name, index]));
  return (name) => indexes.get(name) ?? -1;
};
