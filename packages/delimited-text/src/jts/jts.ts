import { formatIsoMs } from '@catchment/time';
import type { TextSeries } from '../records/line-reader.ts';
import type { TextRecord } from '../records/read-records.ts';
import type { Cell, CellValue } from '../records/series-reader.ts';

/** Returns `header.columns` of a JTS document that brings these series to a data source, by their places. */
export const jtsColumns = (series: readonly TextSeries[]): Record<string, object> =>
  Object.fromEntries(
    series.map(({ key, type, units }, n) => [n, { series: key, name: key, dataType: type, ...(units && { units }) }]),
  );

function jtsValue(value: CellValue | null): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'timeMs' in value ? { $time: formatIsoMs(value.timeMs) } : { $coords: value };
}

const jtsField = ({ value, quality }: Cell): object => ({
  v: jtsValue(value),
  ...(quality !== undefined && { q: quality }),
});

/** Makes an entry of `data`; undefined where no series has anything. */
export function jtsEntry({ timeMs, cells }: TextRecord): { ts: string; f: Record<string, object> } | undefined {
  const f: Record<string, object> = {};
  let isEmpty = true;
  cells.forEach((cell, n) => {
    if (cell === undefined) return;
    f[n] = jtsField(cell);
    isEmpty = false;
  });
  return isEmpty ? undefined : { ts: formatIsoMs(timeMs), f };
}
