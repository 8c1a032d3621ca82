import type { HistoricServiceService, SeriesChunk } from '@catchment/contracts/historic';
import { ValueType } from '@catchment/contracts/nodes';
import { bytesOf, floatsOf, int32sOf } from '@catchment/contracts/packed-numbers';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { intervalStarts } from '../domain/interval-starts.ts';
import type { PlanInput, Zone } from '../domain/plan.ts';
import type { InputAggregate, Value } from '../domain/program.ts';
import type { Records } from '../domain/series.ts';
import type { AggregateResults, ReadBy, SeriesEdges, SeriesReader } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'processing' } as const;
const TIMEOUT_MS = 15_000;

type Historic = Pick<GrpcClient<typeof HistoricServiceService>, 'readSeries' | 'readAggregateAt' | 'getEdges'>;

/** Reads by the historic service: with the rights of a caller where there is one, otherwise those of the program. */
export function grpcSeriesReader(
  historic: Historic,
  signer: Pick<CallerSigner, 'sign'>,
  now: () => number = Date.now,
): SeriesReader {
  const asService = () => signer.sign(SERVICE);
  const caller = async ({ ownerId }: PlanInput, as: ReadBy['as']) =>
    // The caller could not read what AUTH opens of another account: the paths were resolved with the key's rights.
    as && as.ownerId === ownerId ? { token: as.token, ownerId: '' } : { token: await asService(), ownerId };

  return {
    async records(input, { fromMs, toMs }, limit, { qualityExcluded, storedQuality, as, signal }) {
      const { token, ownerId } = await caller(input, as);
      const chunks = historic.readSeries(
        {
          nodeRef: input.nodeId,
          ownerId,
          startMs: fromMs,
          endMs: toMs,
          limit,
          bounding: false,
          transformed: true,
          arguments: excluded(qualityExcluded),
          arrivalMs: 0,
          ...(storedQuality && { storedQuality }),
        },
        { token, signal, timeoutMs: TIMEOUT_MS },
      );
      const read = emptyRecords();
      for await (const chunk of chunks) addRecords(read, chunk, input.valueType);
      return read;
    },

    async aggregateAt(input, times, { qualityExcluded, zone, whole, signal }) {
      const { name, percentile = '', baseTime, interval } = input.aggregate ?? NO_AGGREGATE;
      const chunks = historic.readAggregateAt(
        {
          ownerId: input.ownerId,
          nodeId: input.nodeId,
          aggregate: name,
          percentile,
          baseTime,
          interval,
          timezone: zone.name,
          timezoneAdjustForDst: zone.adjustsForDst,
          qualityExcluded,
          times: bytesOf(Float64Array.from(times)),
          wholeIntervals: whole,
        },
        { token: await asService(), signal, timeoutMs: TIMEOUT_MS },
      );
      const read = { ...emptyRecords(), starts: [] as number[], ends: [] as number[] };
      let newestMs: number | undefined;
      const isText = input.valueType === ValueType.VALUE_TYPE_TEXT && name !== 'COUNT';
      const valueType = name === 'COUNT' ? ValueType.VALUE_TYPE_NUMBER : input.valueType;
      for await (const chunk of chunks) {
        newestMs ??= chunk.newestMs;
        const starts = floatsOf(chunk.starts);
        read.starts.push(...starts);
        read.ends.push(...floatsOf(chunk.ends));
        addValues(read, chunk, isText ? ValueType.VALUE_TYPE_TEXT : valueType, starts.length);
      }
      const results: AggregateResults = { ...read, times };
      return newestMs === undefined ? results : { ...results, newestMs };
    },

    async intervals(input, { fromMs, toMs }, limit, { qualityExcluded, zone, as, signal }) {
      const { name, percentile = '', baseTime, interval } = input.aggregate ?? NO_AGGREGATE;
      const nowMs = now();
      const range = { fromMs, toMs: Math.min(toMs, nowMs), limit };
      const known = intervalStarts({ name, baseTime, interval }, zone, range, nowMs);
      if (known) return known;
      const { token, ownerId } = await caller(input, as);
      const chunks = historic.readSeries(
        {
          nodeRef: input.nodeId,
          ownerId,
          startMs: fromMs,
          endMs: toMs + 1,
          limit,
          bounding: false,
          transformed: true,
          arrivalMs: 0,
          arguments: { ...excluded(qualityExcluded), ...gridOf(zone), aggregate: name, percentile, baseTime, interval },
        },
        { token, signal, timeoutMs: TIMEOUT_MS },
      );
      const starts: number[] = [];
      for await (const chunk of chunks) starts.push(...floatsOf(chunk.timestamps));
      return starts;
    },

    async newest(inputs, signal) {
      const found = new Map<string, number>();
      for (const [ownerId, ofOwner] of Map.groupBy(inputs, (input) => input.ownerId)) {
        const nodeIds = [...new Set(ofOwner.map(({ nodeId }) => nodeId))];
        const { edges } = await historic.getEdges(
          { ownerId, nodeIds, newest: 1, writtenBeforeMs: [] },
          { token: await asService(), signal, timeoutMs: TIMEOUT_MS },
        );
        for (const { nodeId, newest } of edges) if (newest[0]) found.set(nodeId, newest[0].timestampMs);
      }
      return inputs.map(({ nodeId }) => found.get(nodeId));
    },

    async edges({ ownerId, nodeId }, beforeMs, signal) {
      const { edges, earlier } = await historic.getEdges(
        { ownerId, nodeIds: [nodeId], newest: 1, writtenBeforeMs: beforeMs === undefined ? [] : [beforeMs] },
        { token: await asService(), signal, timeoutMs: TIMEOUT_MS },
      );
      const times = {
        newestMs: edges[0]?.newest[0]?.timestampMs,
        oldestMs: edges[0]?.oldest?.timestampMs,
        earlierMs: earlier[0]?.newest[0]?.timestampMs,
      };
      return Object.fromEntries(Object.entries(times).filter(([, timeMs]) => timeMs !== undefined)) as SeriesEdges;
    },
  };
}

const NO_AGGREGATE: InputAggregate = { name: '', baseTime: '', interval: '' };

const excluded = (qualityExcluded: string | undefined): { [key: string]: string } =>
  qualityExcluded === undefined ? {} : { qualityExcluded };
const gridOf = ({ name, adjustsForDst }: Zone) => ({ timezone: name, timezoneAdjustForDst: String(adjustsForDst) });

type Building = { times: number[]; values: (Value | undefined)[]; qualities: (number | undefined)[] };
const emptyRecords = (): Building & Records => ({ times: [], values: [], qualities: [] });

function addRecords(to: Building, chunk: SeriesChunk, valueType: ValueType): void {
  const times = floatsOf(chunk.timestamps);
  for (const timeMs of times) to.times.push(timeMs);
  addValues(to, chunk, valueType, times.length);
}

function addValues(
  to: Building,
  chunk: Pick<SeriesChunk, 'numbers' | 'texts' | 'qualities'>,
  valueType: ValueType,
  count: number,
): void {
  const numbers = floatsOf(chunk.numbers);
  const qualities = int32sOf(chunk.qualities);
  for (let n = 0; n < count; n += 1) {
    to.values.push(valueAt(numbers, chunk.texts, valueType, n));
    const quality = qualities[n] ?? -1;
    to.qualities.push(quality < 0 ? undefined : quality);
  }
}

function valueAt(numbers: Float64Array, texts: readonly string[], valueType: ValueType, n: number): Value | undefined {
  if (valueType === ValueType.VALUE_TYPE_TEXT) return texts[n] || undefined;
  if (valueType === ValueType.VALUE_TYPE_COORDINATES) {
    const [latitude = Number.NaN, longitude = Number.NaN] = numbers.subarray(2 * n, 2 * n + 2);
    return Number.isNaN(latitude) ? undefined : [latitude, longitude];
  }
  const value = numbers[n] ?? Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
