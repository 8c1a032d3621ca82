import type { DataRow } from './data-files.ts';
import type { ParameterPlan } from './sites.ts';

/** Loggers write these for a missing reading. */
const NO_READING = new Set(['', 'NAN', 'NaN']);

/** Makes a JTS document for a data source: one column per parameter, cells without a reading left out. */
export function jtsDocument(parameters: readonly ParameterPlan[], rows: readonly DataRow[], quality?: number): unknown {
  const columns = parameters.map(({ series, name, units }, index) => [
    index,
    { series, name, units, dataType: 'NUMBER' },
  ]);
  const data = rows.map(({ time, cells }) => {
    const fields = parameters.flatMap(({ series }, index) => {
      const cell = cells[series] ?? '';
      return NO_READING.has(cell) ? [] : [[index, { v: Number(cell), ...(quality !== undefined && { q: quality }) }]];
    });
    return { ts: time, f: Object.fromEntries(fields) };
  });
  return { docType: 'jts', version: '1.0', header: { columns: Object.fromEntries(columns) }, data };
}
