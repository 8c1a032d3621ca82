import type { ColumnSettings, ParserSettings } from '@catchment/delimited-text';
import { checkParserFits } from './parser-fit.ts';

const time: ColumnSettings = { index: 0, type: 'RECORD_TIME' };
const numbers = (count: number, type: ColumnSettings['type'] = 'NUMBER') =>
  Array.from({ length: count }, (_, n): ColumnSettings => ({ index: n + 1, type, series: `S${n}` }));
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ seriesId: `S${n}`, type: 'NUMBER' as const }));

test.each<[string, ParserSettings]>([
  ['nothing', {}],
  ['as many series as a write takes', { columns: [time, ...numbers(100)] }],
  ['more columns that are disabled', { columns: [time, ...numbers(60), ...numbers(900, 'DISABLED')] }],
  [
    'columns that are named by the file',
    { columns: [time, { index: 1, type: 'NUMBER' }, { index: 2, type: 'NUMBER' }] },
  ],
  ['a disabled column of a series that another one has', { columns: [time, ...numbers(1), ...numbers(1, 'DISABLED')] }],
  ['columns within the widths', { columnWidths: [5, 5], columns: [time, ...numbers(1)] }],
])('takes %s', (_what, parser) => {
  expect(() => checkParserFits(parser)).not.toThrow();
});

test.each<[string, ParserSettings]>([
  ['columns: at most 100 may be series, not 166', { columns: [time, ...numbers(166)] }],
  ['rowSeries: at most 100 may be listed, not 101', { format: 'ROW', rowSeries: rows(101) }],
  ['columns[2].series: is that of columns[1] too', { columns: [time, ...numbers(1), ...numbers(1)] }],
  ['columns[2].index: must be below 2', { columnWidths: [5, 5], columns: [time, ...numbers(2)] }],
  [
    'columns[0].joins[1].column: must be below 1',
    {
      columnWidths: [5],
      columns: [
        {
          ...time,
          joins: [
            { field: 'TIME', format: 'H:mm' },
            { column: 1, field: 'TIME', format: 'D.M.YYYY' },
          ],
        },
      ],
    },
  ],
])('refuses: %s', (message, parser) => {
  expect(() => checkParserFits(parser)).toThrow(message);
});
