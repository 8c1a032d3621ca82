import { checkParser } from './check-parser.ts';
import type { ParserSettings } from './layout.ts';

const column = (over: object) => ({ columns: [{ index: 0, ...over }] }) as unknown as ParserSettings;

test.each([
  [{ delimiter: '123456' }, 'delimiter: must be'],
  [{ delimiter: '\n' }, 'delimiter: must be'],
  [{ delimiter: ';', textQualifier: ';' }, 'textQualifier: must be'],
  [column({ type: 'SERIES_ID' }), 'columns[0].type: SERIES_ID is of the format ROW'],
  [{ format: 'ROW', ...column({ type: 'NUMBER' }) }, 'columns[0].type: NUMBER is of the format COLUMN'],
  [
    { columns: [0, 1].map((index) => ({ index, type: 'RECORD_TIME' as const })) },
    'columns: only one may have the type RECORD_TIME',
  ],
  [column({ type: 'RECORD_TIME', joins: [{ field: 'TIME', format: '[x]' }] }), 'columns[0].joins[0].format: '],
  [column({ type: 'COORDINATES' }), 'columns[0].joins: must have a LATITUDE and a LONGITUDE'],
  [column({ type: 'TEXT', joins: [{ field: 'SEPARATOR' }] }), 'columns[0].joins[0].format: must be the text'],
  [
    column({ type: 'TEXT', joins: [{ field: 'TEXT', format: '/(/', filter: 'INCLUDE_RECORD' }] }),
    'columns[0].joins[0].format: must be a text or a regular expression',
  ],
  [
    column({ type: 'TEXT', joins: [{ field: 'TEXT', format: '/(?:x{0,30}){30}/', filter: 'INCLUDE_RECORD' }] }),
    'columns[0].joins[0].format: must be a text or a regular expression',
  ],
  [{ missing: ['Ice', '  '] }, 'missing[1]: must not be blank'],
  [{ missing: ['x'.repeat(101)] }, 'missing[0]: must have at most 100 characters'],
  [{ missing: Array(51).fill('x') }, 'missing: must have at most 50 entries'],
  [
    { format: 'ROW', rowSeries: [{ seriesId: 'a', type: 'COORDINATES' }] } satisfies ParserSettings,
    'rowSeries[0].joins: must have a LATITUDE',
  ],
] as const)('%j is refused, naming the part', (settings, message) => {
  expect(() => checkParser(settings as ParserSettings)).toThrow(message);
});

test.each([
  {},
  { columns: [] },
  column({ type: 'NUMBER' }),
  { format: 'ROW', columns: [{ index: 0, type: 'SERIES_ID' }] },
  { delimiter: 'SPACE', columnWidths: [1, 2] },
] as const)('what may become complete is kept: %j', (settings) => {
  expect(() => checkParser(settings as ParserSettings)).not.toThrow();
});
