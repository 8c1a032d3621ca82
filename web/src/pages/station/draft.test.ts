import type { Parser } from '../../data/sources/parsers.ts';
import { type Draft, namesOf, timeOf, viewOf } from './draft.ts';

const PARSER: Parser = {
  delimiter: ',',
  labelsRow: 1,
  columns: [
    {
      index: 0,
      type: 'RECORD_TIME',
      joins: [
        { column: 0, field: 'TIME', format: 'YYYY-MM-DD' },
        { column: 1, field: 'TIME' },
      ],
    },
    { index: 1, type: 'DISABLED' },
    { index: 2, type: 'NUMBER', series: 'Level', joins: [{ field: 'NUMBER' }] },
    { index: 3, type: 'DISABLED' },
  ],
};
const draftOf = (part: Partial<Draft>): Draft => ({
  name: '',
  latitude: '',
  longitude: '',
  zone: 'Etc/UTC',
  adjustsForDst: false,
  sourceName: '',
  settings: {},
  columns: {},
  found: {},
  labels: ['Date', 'Time', 'Level', 'Note'],
  made: {},
  proposal: { parser: PARSER, layout: 'CSV', why: '' },
  ...part,
});

test('without a correction the parser is what was proposed, and columns of the time are not offered', () => {
  const view = viewOf(draftOf({}));
  expect(view?.parser).toEqual(PARSER);
  expect(view?.columns.map(({ label, isOff }) => [label, isOff])).toEqual([
    ['Level', false],
    ['Note', true],
  ]);
});

test('columns are left out and taken; another type forgets how the one before was read', () => {
  const view = viewOf(draftOf({ columns: { 2: { isOff: true }, 3: { isOff: false, type: 'TEXT' } } }));
  expect(view?.parser.columns?.slice(2)).toEqual([
    { index: 2, type: 'DISABLED' },
    { index: 3, type: 'TEXT', series: 'Note' },
  ]);
  const other = viewOf(draftOf({ columns: { 2: { type: 'TEXT' } } }));
  expect(other?.parser.columns?.[2]).toEqual({ index: 2, type: 'TEXT', series: 'Level' });
});

test('the time is put together of other columns; those that it leaves are offered', () => {
  const draft = draftOf({
    time: [
      { column: 0, field: 'TIME', format: '' },
      { column: 3, field: 'TIMEZONE', format: '' },
    ],
  });
  const view = viewOf(draft);
  expect(view?.parser.columns?.[0]).toEqual({
    index: 0,
    type: 'RECORD_TIME',
    joins: [
      { column: 0, field: 'TIME' },
      { column: 3, field: 'TIMEZONE' },
    ],
  });
  expect(view?.columns.map(({ label, isOff }) => [label, isOff])).toEqual([
    ['Time', true],
    ['Level', false],
  ]);
  expect(timeOf(draftOf({}))).toEqual([
    { column: 0, field: 'TIME', format: 'YYYY-MM-DD' },
    { column: 1, field: 'TIME', format: '' },
  ]);
});

test('rows that name their series are left out and taken by the name', () => {
  const parser: Parser = {
    format: 'ROW',
    columns: [],
    rowSeries: [
      { seriesId: 'HG', type: 'NUMBER' },
      { seriesId: 'VB', type: 'NUMBER' },
    ],
  };
  const view = viewOf(draftOf({ proposal: { parser, layout: 'CSV', why: '' }, columns: { VB: { isOff: true } } }));
  expect(view?.parser.rowSeries).toEqual([{ seriesId: 'HG', type: 'NUMBER' }]);
  expect(view?.columns).toHaveLength(2);
});

test('names and units are those of the file until they are corrected', () => {
  const found = { Level: { name: 'Level', units: 'm' } };
  const column = viewOf(draftOf({}))!.columns[0]!;
  expect(namesOf(draftOf({ found }), column)).toEqual({ name: 'Level', units: 'm' });
  expect(namesOf(draftOf({ found, columns: { 2: { name: 'Stage' } } }), column)).toEqual({ name: 'Stage', units: 'm' });
});
