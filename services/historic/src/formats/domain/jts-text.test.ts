import type { SeriesConfig } from '@catchment/contracts/nodes';
import { atOnce } from '@catchment/fair-queue';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import { readOptions } from '../../columns/domain/read-options.ts';
import { viewOf } from '../../columns/domain/series-view.ts';
import type { StoredRecord } from '../../records/domain/record-set.ts';
import { columnTable } from './column-table.ts';
import { jtsText } from './jts-text.ts';

const ID = '0123456789abcdef01234567';

function text(
  records: Partial<StoredRecord>[],
  given: Record<string, string> = {},
  series: Partial<SeriesConfig> = {},
) {
  const options = readOptions(given, 0);
  const view = viewOf(seriesNode({ nodeId: ID, name: 'Wasserstand "Süd"', series }), options);
  const set = recordSet(series.valueType ?? TYPES.NUMBER, records);
  const range = { startMs: 0, endMs: records.length === 0 ? null : 90_000 };
  const { zone, csv } = options;
  const table = atOnce(columnTable([{ records: set, view }]));
  return [...jtsText(table, range, { zone, csv, timestamp: (ms) => JSON.stringify(zone.formatIso(ms)) })].join('');
}

test('the layout that line tools read: header over lines, "data" alone, a record a line', () => {
  const records = [
    { timeMs: 0, number: 1 },
    { timeMs: 30_000, number: 28.2, quality: 100, annotation: 'site "maintenance"' },
    { timeMs: 60_000, quality: 158 },
    { timeMs: 90_000, annotation: 'no value' },
  ];
  expect(text(records, {}, { units: '°C', format: '0.0' })).toBe(`{
  "docType": "jts",
  "version": "1.0",
  "header": {
    "startTime": "1970-01-01T00:00:00.000Z",
    "endTime": "1970-01-01T00:01:30.000Z",
    "recordCount": 4,
    "columns": {
      "0": {
        "id": "0123456789abcdef01234567",
        "name": "Wasserstand \\"Süd\\"",
        "dataType": "NUMBER",
        "units": "°C",
        "renderType": "VALUE",
        "format": "0.0",
        "aggregate": "NONE"
      }
    }
  },
  "data": [
    { "ts":"1970-01-01T00:00:00.000Z", "f": { "0": {"v":1} } },
    { "ts":"1970-01-01T00:00:30.000Z", "f": { "0": {"v":28.2,"q":100,"a":"site \\"maintenance\\""} } },
    { "ts":"1970-01-01T00:01:00.000Z", "f": { "0": {"q":158} } },
    { "ts":"1970-01-01T00:01:30.000Z", "f": { "0": {"a":"no value"} } }
  ]
}
`);
});

test('no records: data is empty, bounds that nobody gave are null', () => {
  const answer = text([]);
  expect(answer).toContain('\n  "data": [\n  ]\n}\n');
  expect(JSON.parse(answer)).toMatchObject({
    header: { startTime: '1970-01-01T00:00:00.000Z', endTime: null },
    data: [],
  });
});

test.each([
  [TYPES.NUMBER, '', 0],
  [TYPES.NUMBER, '°C', 3],
  [TYPES.TEXT, '', 0],
])('type %s: the unit %p stands in the header, with %d records', (valueType, units, count) => {
  const { columns } = JSON.parse(
    text(
      Array.from({ length: count }, () => ({ number: 1 })),
      {},
      { valueType, units },
    ),
  ).header;
  expect(columns[0].units).toBe(units);
});

test('header=FALSE leaves the header out and nothing else', () => {
  const answer = JSON.parse(text([{ number: 1 }], { header: 'false' }));
  expect(Object.keys(answer)).toEqual(['docType', 'version', 'data']);
});

test('times follow the zone of the request', () => {
  expect(text([{ number: 1 }], { timezone: 'Australia/Brisbane' })).toContain('"ts":"1970-01-01T10:00:00.000+10:00"');
});

test.each<[string, Partial<SeriesConfig>, Record<string, string>, object]>([
  ['states show no format', { displayType: 'STATE', statesType: 'RANGE', format: '0.0' }, {}, { renderType: 'STATE' }],
  ['a baseline is shown', {}, { baselineType: 'RELATIVE' }, { renderType: 'VALUE', baselineType: 'RELATIVE' }],
  ['a format that was asked for', { format: '0' }, { renderFormat: '0.00' }, { renderType: 'VALUE', format: '0.00' }],
])('%s', (_what, series, options, expected) => {
  const { columns } = JSON.parse(text([], options, series)).header;
  const { id: _id, name: _name, ...column } = columns[0];
  expect(column).toEqual({ dataType: 'NUMBER', units: '', aggregate: 'NONE', ...expected });
});

test.each([
  [TYPES.NUMBER, 'NUMBER'],
  [TYPES.TEXT, 'TEXT'],
  [TYPES.TIME, 'TIME'],
  [TYPES.COORDINATES, 'COORDINATES'],
])('type %s is %s', (valueType, dataType) => {
  expect(JSON.parse(text([], {}, { valueType })).header.columns[0].dataType).toBe(dataType);
});
