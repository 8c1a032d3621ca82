import { instantsOf } from '@catchment/delimited-text';
import { COLUMNS_MAX } from '@catchment/ids';
import { type EffectiveZone, formatIsoMs, isInstantMs } from '@catchment/time';
import { type StationMessage, type StationRecord, StationRefusal } from './station-message.ts';

/** Records of one write. */
const MAX_ROWS = 1_000;

/**
 * Yields JTS documents of what a station has sent.
 * @param zone of the source: of times without one
 * @param arrivalMs of records without a time
 * @throws StationRefusal too many series
 */
export function* stationDocuments(
  { records, units = new Map() }: Pick<StationMessage, 'records' | 'units'>,
  zone: EffectiveZone,
  arrivalMs: number,
): Generator<{ readonly document: object; readonly rows: number }> {
  const times = timesOf(records, zone, arrivalMs);
  for (let from = 0; from < records.length; from += MAX_ROWS) {
    const columns = new Map<string, { readonly index: number; readonly isText: boolean }>();
    // Several series at one time are one row.
    const rows = new Map<number, Record<string, object>>();
    for (const [n, { values }] of records.slice(from, from + MAX_ROWS).entries()) {
      const timeMs = times[from + n] ?? arrivalMs;
      const row = rows.get(timeMs) ?? {};
      rows.set(timeMs, row);
      for (const [name, value] of values) {
        const known = columns.get(name) ?? { index: columns.size, isText: typeof value === 'string' };
        if (columns.size > COLUMNS_MAX) throw new StationRefusal(`there are more than ${COLUMNS_MAX} series`);
        columns.set(name, known);
        // A text among numbers, or the other way round, has no place in the series.
        if (known.isText === (typeof value === 'string')) row[known.index] = { v: value };
      }
    }
    const data = [...rows].sort(([a], [b]) => a - b).filter(([, f]) => Object.keys(f).length > 0);
    if (data.length === 0) continue;
    const header = [...columns].map(([name, { index, isText }]) => {
      const of = units.get(name);
      return [index, { name, series: name, dataType: isText ? 'TEXT' : 'NUMBER', ...(of && { units: of }) }];
    });
    yield {
      document: {
        docType: 'jts',
        version: '1.0',
        header: { columns: Object.fromEntries(header) },
        data: data.map(([timeMs, f]) => ({ ts: formatIsoMs(timeMs), f })),
      },
      rows: data.length,
    };
  }
}

/** Returns times in the order of the records: for a time that occurs twice in autumn, their order decides the pass. */
function timesOf(records: readonly StationRecord[], zone: EffectiveZone, arrivalMs: number): number[] {
  const names = new Map<string, number>();
  const numberOf = (name: string) => {
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    return known;
  };
  const rows = records.map(({ time, values }) => ({
    time: time ?? { instantMs: arrivalMs },
    series: time ? [...values.keys()].map(numberOf) : [],
  }));
  return instantsOf(rows, zone).map((timeMs) => (isInstantMs(timeMs) ? timeMs : arrivalMs));
}
