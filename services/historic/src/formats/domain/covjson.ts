import { formatIsoMs } from '@catchment/time';
import type { SeriesView } from '../../columns/index.ts';
import type { Answer, Pieces, Site } from './answer.ts';
import type { TableColumn } from './column-table.ts';
import { uniqueNames } from './fields.ts';

const TIME_SYSTEM = { coordinates: ['t'], system: { type: 'TemporalRS', calendar: 'Gregorian' } };
const PLACE_SYSTEM = {
  coordinates: ['x', 'y'],
  system: { type: 'GeographicCRS', id: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' },
};

/** Yields a CoverageJSON document with a coverage for each column (docs/reference/formats.md#covjson). */
export function* covJsonPieces({ table, query, sites }: Answer): Pieces {
  const names = uniqueNames(table.columns, '.');
  const withQuality = query.csv.quality !== 'NONE';
  const parameters = table.columns.flatMap(({ view }, n) => {
    const name = names[n] ?? '';
    const parameters = [[name, parameterOf(view)] as const];
    return withQuality ? [...parameters, [`${name}.quality`, qualityParameter(view)] as const] : parameters;
  });
  const shown = JSON.stringify(Object.fromEntries(parameters));
  const domainType = sites.every(({ coordinates }) => coordinates) ? '"domainType":"PointSeries",' : '';
  yield `{"type":"CoverageCollection",${domainType}"parameters":${shown},\n"coverages":[`;
  for (const [n, column] of table.columns.entries()) {
    yield n === 0 ? '\n' : ',\n';
    yield* coverage(column, shownRows(column, table.times), { name: names[n] ?? '', site: sites[n], withQuality });
  }
  yield '\n]}\n';
}

function parameterOf({ node, aggregate, intervals }: SeriesView) {
  const { units } = node.series;
  const label = aggregate === 'NONE' ? node.name : `${node.name} (${aggregate})`;
  return {
    type: 'Parameter',
    description: { en: node.path },
    observedProperty: { id: `urn:x-catchment:node:${node.nodeId}`, label: { en: label } },
    ...(units !== '' && { unit: { label: { en: units }, symbol: units } }),
    ...(aggregate !== 'NONE' && { aggregate, ...intervals }),
  };
}

const qualityParameter = ({ node }: SeriesView) => ({
  type: 'Parameter',
  observedProperty: { label: { en: `Quality of ${node.name}` } },
});

type Shown = { readonly name: string; readonly site: Site | undefined; readonly withQuality: boolean };

function* coverage({ records, view }: TableColumn, rows: Rows, { name, site, withQuality }: Shown): Pieces {
  const place = site?.coordinates;
  yield `{"type":"Coverage","id":${JSON.stringify(name)},"domain":{"type":"Domain",`;
  if (place) yield `"domainType":"PointSeries",`;
  yield `"axes":{`;
  if (place) yield `"x":{"values":[${place.longitude}]},"y":{"values":[${place.latitude}]},`;
  yield '"t":{"values":[';
  yield* list(rows, (index) => `"${formatIsoMs(records.times[index] ?? 0)}"`);
  yield `]}},"referencing":${JSON.stringify(place ? [PLACE_SYSTEM, TIME_SYSTEM] : [TIME_SYSTEM])}},\n"ranges":{`;
  const isNumber = view.kind === 'NUMBER';
  yield* range(name, isNumber ? 'float' : 'string', rows, (index) => {
    // Readers refuse empty texts.
    if (view.kind === 'TEXT') return JSON.stringify(view.text(records, index) || null);
    const number = view.number(records, index);
    if (Number.isNaN(number)) return 'null';
    return isNumber ? String(number) : `"${formatIsoMs(number)}"`;
  });
  if (withQuality) {
    yield ',\n';
    yield* range(`${name}.quality`, 'integer', rows, (index) => {
      const code = records.qualities[index] ?? -1;
      return code < 0 ? 'null' : String(code);
    });
  }
  yield '}}';
}

function* range(name: string, dataType: string, rows: Rows, print: (index: number) => string): Pieces {
  const shape = rows.to - rows.from;
  yield `${JSON.stringify(name)}:{"type":"NdArray","dataType":"${dataType}","axisNames":["t"],"shape":[${shape}],"values":[`;
  yield* list(rows, print);
  yield ']}';
}

/** The rows of the table reach these records of a column. */
type Rows = { readonly from: number; readonly to: number };

export function shownRows({ records }: TableColumn, times: Float64Array): Rows {
  const [firstMs = Number.POSITIVE_INFINITY, lastMs = Number.NEGATIVE_INFINITY] = [times[0], times.at(-1)];
  let [from, to] = [0, records.count];
  while (from < to && (records.times[from] ?? 0) < firstMs) from += 1;
  while (to > from && (records.times[to - 1] ?? 0) > lastMs) to -= 1;
  return { from, to };
}

function* list({ from, to }: Rows, print: (index: number) => string): Pieces {
  for (let index = from; index < to; index += 1) yield index === from ? print(index) : `,${print(index)}`;
}
