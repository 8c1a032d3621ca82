import type { CoordinateFollower, NodeConfig } from '@catchment/contracts/nodes';
import { ValueType } from '@catchment/contracts/nodes';
import { transformOf } from '@catchment/equation';
import { FLAG } from '@catchment/ingest-log';
import { type BuiltColumn, flagsOf } from '../../records/index.ts';
import { isSeries, type SeriesNode } from '../../series/index.ts';

/** A Location takes its coordinates from a source in this way. */
export type Follower = { readonly location: SeriesNode; readonly from: CoordinateFollower };

/** These records of a Location follow from a write to its source. */
export type Positions = {
  readonly location: SeriesNode;
  readonly column: BuiltColumn;
  /** Pairs that are no coordinates. */
  readonly bad: number;
};

const [MAX_LATITUDE, MAX_LONGITUDE] = [90, 180];

/**
 * Finds the positions that a write to a source brings its Locations (docs/reference/node-tree.md#coordinates-of-a-location). They are the
 * records that two number series both have at a time, as they are shown, or else what is written to another Location.
 * @param written the columns of the write with their parameters; undefined = nothing of it is left
 */
export function positionsOf(
  { location, from }: Follower,
  written: readonly { readonly parameter: NodeConfig; readonly built: BuiltColumn | undefined }[],
): Positions | undefined {
  if (written.some(({ parameter }) => parameter.nodeId === location.nodeId)) return undefined;
  if (from.latitude === '') {
    const column = written.find(
      ({ parameter }) => parameter.series?.valueType === ValueType.VALUE_TYPE_COORDINATES,
    )?.built;
    return column && { location, column, bad: 0 };
  }
  const numbers = written.filter(({ parameter }) => parameter.series?.valueType === ValueType.VALUE_TYPE_NUMBER);
  const of = (key: string): Numbers | undefined => {
    const found =
      numbers.find(({ parameter }) => parameter.series?.seriesKey === key) ??
      numbers.find(({ parameter }) => parameter.name.toLowerCase() === key.toLowerCase());
    return found?.built && isSeries(found.parameter) ? { parameter: found.parameter, built: found.built } : undefined;
  };
  const [latitude, longitude] = [of(from.latitude), of(from.longitude)];
  return latitude && longitude && { location, ...pairs(latitude, longitude) };
}

type Numbers = { readonly parameter: SeriesNode; readonly built: BuiltColumn };

function pairs(latitude: Numbers, longitude: Numbers): { readonly column: BuiltColumn; readonly bad: number } {
  const [toLatitude, toLongitude] = [latitude, longitude].map(({ parameter }) => transformOf(parameter.series).apply);
  const [a, b] = [latitude.built, longitude.built];
  const times: number[] = [];
  const numbers: number[] = [];
  const qualities: number[] = [];
  let bad = 0;
  for (let i = 0, j = 0; i < a.timestamps.length && j < b.timestamps.length; ) {
    const [time, other] = [a.timestamps[i] ?? 0, b.timestamps[j] ?? 0];
    if (time !== other) {
      if (time < other) i += 1;
      else j += 1;
      continue;
    }
    if (flagsOf(a, i) & flagsOf(b, j) & FLAG.value) {
      const [north = Number.NaN, east = Number.NaN] = [toLatitude?.(a.numbers[i]!), toLongitude?.(b.numbers[j]!)];
      if (Math.abs(north) <= MAX_LATITUDE && Math.abs(east) <= MAX_LONGITUDE) {
        times.push(time);
        numbers.push(north, east);
        qualities.push(flagsOf(a, i) & FLAG.quality ? (a.qualities[i] ?? -1) : -1);
      } else bad += 1;
    }
    i += 1;
    j += 1;
  }
  const hasQuality = qualities.some((code) => code >= 0);
  return {
    bad,
    column: {
      timestamps: Float64Array.from(times),
      flags: hasQuality
        ? Uint8Array.from(qualities, (code) => (code < 0 ? FLAG.value : FLAG.value | FLAG.quality))
        : Uint8Array.of(FLAG.value),
      numbers: Float64Array.from(numbers),
      texts: [],
      qualities: hasQuality ? Uint16Array.from(qualities, (code) => Math.max(0, code)) : new Uint16Array(0),
      annotations: new Map(),
    },
  };
}
