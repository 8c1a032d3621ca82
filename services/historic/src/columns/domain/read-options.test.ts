import { readOptions } from './read-options.ts';

const NOW = Date.UTC(2024, 4, 15, 10, 47);
const read = (given: Record<string, string>) => readOptions(given, NOW);

test('nothing given: JSON of raw records in UTC, with a header', () => {
  const { zone, ...options } = read({});
  expect(zone.formatIso(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(options).toEqual({
    format: 'JSON',
    isLong: false,
    start: undefined,
    end: undefined,
    limit: undefined,
    timeQuery: 'RECORD',
    after: undefined,
    timeFormat: undefined,
    excluded: undefined,
    renderType: undefined,
    renderFormat: undefined,
    isRelative: false,
    aggregate: 'NONE',
    periodic: undefined,
    csv: {
      header: true,
      delimiter: ',',
      textQualifier: '"',
      quality: 'NONE',
      qualityDelimiter: ':',
      annotation: 'NONE',
      annotationDelimiter: ';',
    },
  });
});

test.each([
  ['format', 'XML'],
  ['startTime', 'yesterday'],
  ['startTime', '2024-02-30'],
  ['endTime', 'NOW--1D'],
  ['endTime', '1799-01-01'],
  ['limit', '0'],
  ['limit', '-5'],
  ['limit', '1.5'],
  ['limit', 'all'],
  ['limit', '1000000001'],
  ['timezone', 'Mars/Phobos'],
  ['timezoneAdjustForDst', '1'],
  ['timeQuery', 'CREATED'],
  ['after', 'x'],
  ['after', 'x'.repeat(201)],
  ['timeFormat', 'Y'.repeat(101)],
  ['qualityExcluded', 'UGLY'],
  ['qualityExcluded', 'BAD,,GOOD'],
  ['renderType', 'CHART'],
  ['renderFormat', '0'.repeat(101)],
  ['baselineType', 'ZERO'],
  ['aggregate', 'MODE'],
  ['header', 'yes'],
  ['delimiter', ''],
  ['delimiter', '123456'],
  ['textQualifier', '""'],
  ['quality', 'YES'],
  ['qualityDelimiter', 'x'.repeat(21)],
  ['annotation', 'TRUE'],
  ['annotationDelimiter', 'x'.repeat(21)],
])('%s "%s" is refused by its name', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(
    expect.objectContaining({ kind: 'invalid_argument', message: expect.stringMatching(new RegExp(`^${name}\\b`)) }),
  );
});

test.each([
  ['format', 'json', 'format', 'JSON'],
  ['format', 'Csv', 'format', 'CSV'],
  ['format', '', 'format', 'JSON'],
  ['limit', '+25', 'limit', 25],
  ['limit', '', 'limit', undefined],
  ['timeQuery', 'modified', 'timeQuery', 'MODIFIED'],
  ['renderType', 'state', 'renderType', 'STATE'],
  ['renderFormat', '', 'renderFormat', ''],
  ['baselineType', 'absolute', 'isRelative', false],
  ['baselineType', 'relative', 'isRelative', true],
  ['aggregate', 'none', 'format', 'JSON'],
] as const)('%s "%s" is %s %s', (name, value, option, expected) => {
  expect(read({ [name]: value })[option]).toBe(expected);
});

test.each([
  ['BAD,UNCERTAIN', ['BAD', 'UNCERTAIN']],
  ['bad', ['BAD']],
  ['NONE', []],
  ['BAD,NONE', []],
  ['', []],
])('qualityExcluded "%s" drops %j', (value, types) => {
  expect([...(read({ qualityExcluded: value }).excluded ?? [])]).toEqual(types);
});

test.each([
  ['delimiter', 'TAB', 'delimiter', '\t'],
  ['delimiter', '12345', 'delimiter', '12345'],
  ['textQualifier', '', 'textQualifier', ''],
  ['textQualifier', '😀', 'textQualifier', '😀'],
  ['qualityDelimiter', '', 'qualityDelimiter', ''],
  ['annotationDelimiter', '', 'annotationDelimiter', ''],
] as const)('%s "%s"', (name, value, option, expected) => {
  expect(read({ [name]: value }).csv[option]).toBe(expected);
});

test('times without a zone are local, a blank for the sign is a plus, relative ones stay expressions', () => {
  const { start, end } = read({
    startTime: '2024-01-01T10:00',
    endTime: '2024-01-01T10:00:00 1000',
    timezone: 'Australia/Brisbane',
  });
  expect([start, end]).toEqual(Array(2).fill({ kind: 'instant', instantMs: Date.UTC(2024, 0, 1) }));
  expect(read({ startTime: 'last-1d' }).start).toMatchObject({ kind: 'relative', expression: { base: 'LAST' } });
});

test('unknown arguments, and times that only aggregates need, are ignored', () => {
  expect(() => read({ interval: 'x', baseTime: 'x', constructor: 'x' })).not.toThrow();
});
