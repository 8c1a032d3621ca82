import type { ComputedSeries, HistoricServiceService } from '@catchment/contracts/historic';
import { ValueType } from '@catchment/contracts/nodes';
import { bytesOf } from '@catchment/contracts/packed-numbers';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { RECORDS_MAX } from '@catchment/ids';
import type { OutputRecords, SeriesWriter } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'processing' } as const;
const TIMEOUT_MS = 15_000;
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

/** Writes by the historic service, in as many calls as it takes; they are in order, and a repetition changes nothing. */
export function grpcSeriesWriter(
  historic: Pick<GrpcClient<typeof HistoricServiceService>, 'writeComputed'>,
  signer: Pick<CallerSigner, 'sign'>,
): SeriesWriter {
  return {
    async write({ ownerId, sourceId }, series, { isAcquisition, ...options }, signal) {
      for (const part of partsOf(series.map((output) => computedOf(output, options)))) {
        const token = await signer.sign(SERVICE);
        await historic.writeComputed(
          { ownerId, sourceId, series: part, isAcquisition },
          { token, signal, timeoutMs: TIMEOUT_MS },
        );
      }
    },
  };
}

type WriteOptions = Omit<Parameters<SeriesWriter['write']>[2], 'isAcquisition'>;

function computedOf(
  { output, times, values, qualities }: OutputRecords,
  { empties, toldFromMs, clears, removesAbsent = false }: WriteOptions,
): ComputedSeries {
  const isText = output.valueType === ValueType.VALUE_TYPE_TEXT;
  const hasQualities = qualities.some((quality) => quality !== undefined);
  return {
    nodeId: output.nodeId,
    empties,
    toldFromMs,
    clears,
    removesAbsent,
    timestamps: bytesOf(Float64Array.from(times)),
    numbers: isText
      ? Buffer.alloc(0)
      : bytesOf(Float64Array.from(values, (value) => (value === undefined ? Number.NaN : Number(value)))),
    texts: isText ? values.map((value) => (value === undefined ? '' : String(value))) : [],
    emptyTexts: isText ? values.flatMap((value, index) => (value === '' ? [index] : [])) : [],
    qualities: hasQualities ? bytesOf(Int32Array.from(qualities, (quality) => quality ?? -1)) : Buffer.alloc(0),
  };
}

/** Each within what a call takes; only the first part of a series empties it, or a range. */
function partsOf(all: readonly ComputedSeries[]): ComputedSeries[][] {
  const parts: ComputedSeries[][] = [[]];
  let [records, bytes] = [0, 0];
  for (const series of all) {
    const count = series.timestamps.length / 8;
    let from = 0;
    do {
      let to = from;
      while (to < count && records < RECORDS_MAX && bytes < MAX_TEXT_BYTES) {
        bytes += Buffer.byteLength(series.texts[to] ?? '');
        records += 1;
        to += 1;
      }
      if (to > from || count === 0) parts.at(-1)?.push(slice(series, from, to));
      from = to;
      if (from < count) {
        parts.push([]);
        [records, bytes] = [0, 0];
      }
    } while (from < count);
  }
  return parts;
}

const slice = (series: ComputedSeries, from: number, to: number): ComputedSeries =>
  from === 0 && to * 8 === series.timestamps.length
    ? series
    : {
        ...series,
        empties: series.empties && from === 0,
        clears: from === 0 ? series.clears : undefined,
        timestamps: series.timestamps.subarray(from * 8, to * 8),
        numbers: series.numbers.subarray(from * 8, to * 8),
        texts: series.texts.slice(from, to),
        emptyTexts: series.emptyTexts.filter((index) => index >= from && index < to).map((index) => index - from),
        qualities: series.qualities.subarray(from * 4, to * 4),
      };
