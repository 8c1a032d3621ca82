import { parseJtsDocument } from './jts-document.ts';

const bytes = (document: unknown) => Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
const JTS = { docType: 'jts', version: '1.0', data: [] };
const withColumns = (columns: unknown) => ({ ...JTS, header: { columns } });

test.each([
  ['no JSON', '{"docType":', 'body: must be JSON'],
  ['an empty body', '', 'body: must be JSON'],
  ['an array', [], 'body: must be a JTS document'],
  ['null', 'null', 'body: must be a JTS document'],
  ['no docType', { data: [] }, 'docType: must be jts'],
  ['another docType', { ...JTS, docType: 'csv' }, 'docType: must be jts'],
  ['a docType that is no text', { ...JTS, docType: 1 }, 'docType: must be jts'],
  ['another subType', { ...JTS, subType: 'EVENTS' }, 'subType: must be TIMESERIES or absent'],
  ['a subType that is no text', { ...JTS, subType: 1 }, 'subType: must be TIMESERIES or absent'],
  ['version 2.0', { ...JTS, version: '2.0' }, 'version: must be 1.0'],
  ['version 2', { ...JTS, version: 2 }, 'version: must be 1.0'],
  ['a header that is no object', { ...JTS, header: 'x' }, 'header: must be an object'],
  ['columns as an array', withColumns([]), 'header.columns: must be an object'],
  ['a column that is no object', withColumns({ 0: 1 }), 'header.columns.0: must be an object'],
  ['a column key that is no index', withColumns({ a: {} }), 'header.columns.a: key must be a column index'],
  ['a column key with a leading zero', withColumns({ '01': {} }), 'header.columns.01: key must be a column index'],
  ['a negative column key', withColumns({ '-1': {} }), 'header.columns.-1: key must be a column index'],
  ['an id that is no text', withColumns({ 0: { id: 5 } }), 'header.columns.0.id: must be a string'],
  ['a name that is no text', withColumns({ 0: { name: {} } }), 'header.columns.0.name: must be a string'],
  ['a series that is no text', withColumns({ 0: { series: 1 } }), 'header.columns.0.series: must be a string'],
  [
    'an unknown dataType',
    withColumns({ 2: { dataType: 'BLOB' } }),
    'header.columns.2.dataType: must be one of NUMBER, TEXT, TIME, VALUE, BOOLEAN, COORDINATES',
  ],
  ['no data', { docType: 'jts' }, 'data: must be an array'],
  ['data as an object', { ...JTS, data: {} }, 'data: must be an array'],
  ['data null', { ...JTS, data: null }, 'data: must be an array'],
])('%s is refused, naming attribute and rule', (_what, document, message) => {
  expect(() => parseJtsDocument(bytes(document))).toThrow(
    expect.objectContaining({ kind: 'invalid_argument', message }),
  );
});

test.each([
  ['a unit', withColumns({ 0: { name: 'x', units: '\ud800' } }), 'header.columns.0.units'],
  ['a value', { ...JTS, data: [{ ts: '2024-01-01', f: { 0: { v: 'a\udc00' } } }] }, 'data[0].f.0.v'],
  [
    'the name of a column beside numbers',
    { ...withColumns({ 0: { name: '\ud800' } }), data: [{ ts: '2024-01-01', f: { 0: { v: 1 } } }] },
    'header.columns.0.name',
  ],
])('half of a character in %s is refused where it is', (_what, document, place) => {
  expect(() => parseJtsDocument(bytes(document))).toThrow(`${place}: must be well-formed Unicode`);
});

test('a body that is not UTF-8 is refused', () => {
  expect(() => parseJtsDocument(Buffer.from([0x22, 0xff, 0x22]))).toThrow('body: must be UTF-8');
});

test.each([
  [
    '50 001 records',
    { ...JTS, data: Array.from({ length: 50_001 }, () => 0) },
    'data: must have at most 50000 records',
  ],
  [
    '101 columns',
    withColumns(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, { name: `n${n}` }]))),
    'header.columns: must have at most 100 columns',
  ],
])('%s are too many: 413', (_what, document, message) => {
  expect(() => parseJtsDocument(bytes(document))).toThrow(expect.objectContaining({ kind: 'too_large', message }));
});

test('nesting as deep as a body allows is refused, not a crash', () => {
  const deep = `{"docType":"jts","data":[{"ts":"2024-01-01T00:00:00Z","f":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}`;
  expect(() => parseJtsDocument(bytes(deep))).toThrow('body: must nest objects and arrays at most 64 deep');
});

test.each([
  ['version absent', { docType: 'jts', data: [] }],
  ['version 1', { ...JTS, version: 1 }],
  ['version "1"', { ...JTS, version: '1' }],
  ['version "v1"', { ...JTS, version: 'v1' }],
  ['docType in capitals', { ...JTS, docType: 'JTS' }],
  ['subType TIMESERIES', { ...JTS, subType: 'TIMESERIES' }],
  ['header null', { ...JTS, header: null }],
  ['header without columns', { ...JTS, header: { recordCount: 'x', startTime: '2024-01-01T00:00' } }],
  ['unknown attributes', { ...JTS, whatever: { a: 1 } }],
])('%s is taken', (_what, document) => {
  expect(parseJtsDocument(bytes(document))).toEqual({ columns: [], rows: [] });
});

test('columns come in the order of their indexes; null, absent and "" are the same', () => {
  const { columns } = parseJtsDocument(
    bytes(
      withColumns({
        10: { name: 'B', dataType: 'value', format: null },
        2: { id: '', series: null, units: '°C', renderType: 7 },
      }),
    ),
  );
  const empty = { id: '', name: '', series: '', units: '' };
  expect(columns).toEqual([
    { ...empty, index: 2, units: '°C', dataType: 'NUMBER', dataTypeGiven: false },
    { ...empty, index: 10, name: 'B', dataType: 'VALUE', dataTypeGiven: true },
  ]);
});
