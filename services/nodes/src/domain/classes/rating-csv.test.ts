import type { Rating } from './processing-attributes.ts';
import { parseRatingCsv, ratingCsv } from './rating-csv.ts';

const EXAMPLE = `"2019-05-14T00:00:00.000Z","table",0:0,1:10,2:20
"2020-10-10T00:00:00.000Z","polynomial",a:1.1,b:2.5
`;
const ENTRIES = [
  {
    startTime: '2019-05-14T00:00:00.000Z',
    table: [
      [0, 0],
      [1, 10],
      [2, 20],
    ],
  },
  { startTime: '2020-10-10T00:00:00.000Z', equationType: 'POLYNOMIAL', coefficients: { a: 1.1, b: 2.5 } },
] as const;

test('the example of docs/reference/processing-and-ratings.md#ratings-as-csv is read and written as it stands', () => {
  expect(parseRatingCsv(EXAMPLE)).toEqual({ ratings: ENTRIES, lines: [1, 2] });
  expect(ratingCsv({ ratings: ENTRIES })).toBe(EXAMPLE);
});

test('numbers come back as they were, to the last digit', () => {
  const values = [0.1 + 0.2, 1e-7, 5e-324, 1.7976931348623157e308, -(2 ** 53), 1 / 3, 1e21, -0.5];
  const table = values.toSorted((a, b) => a - b).map((value, n) => [value, values[n] ?? 0] as const);
  const letters = Object.fromEntries(values.map((value, n) => [String.fromCharCode(97 + n), value]));
  const ratings: Rating['ratings'] = [
    { startTime: '2019-05-14T00:00:00.000Z', table },
    { startTime: '2019-05-15T00:00:00.000Z', equationType: 'POLYNOMIAL', coefficients: letters },
  ];
  expect(parseRatingCsv(ratingCsv({ ratings })).ratings).toEqual(ratings);
});

test.each([
  ['without quotes', EXAMPLE.replaceAll('"', '')],
  ['with spaces', EXAMPLE.replaceAll(',', ' , ').replaceAll(':0,', ' : 0,').replaceAll('a:1.1', ' a : 1.1 ')],
  ['with lines of Windows', EXAMPLE.replaceAll('\n', '\r\n')],
  ['with a byte order mark', `\ufeff${EXAMPLE}`],
  ['in capitals', EXAMPLE.replace('table', 'TABLE').replace('a:1.1', 'A:1.1')],
  ['with other forms of the numbers', EXAMPLE.replace('1:10', '+1.0:1E1').replace('2:20', '2.:.2e+2')],
])('a file is read %s', (_how, text) => {
  expect(parseRatingCsv(text).ratings).toEqual(ENTRIES);
});

test('empty lines count as lines, and give nothing', () => {
  expect(parseRatingCsv(`\n${EXAMPLE}\n\n`).lines).toEqual([2, 3]);
  expect(parseRatingCsv(' \n').ratings).toEqual([]);
});

test.each([
  ['"2019-05-14T00:00:00Z"', 'must be a time, "table" or "polynomial"'],
  ['"2019-05-14T00:00:00Z","table"', 'must be a time, "table" or "polynomial"'],
  ['"2019-05-14T00:00:00Z","spline",0:1', 'must have "table" or "polynomial" after its time'],
  ['"2019-05-14T00:00:00Z","table",', 'row 1 of its table'],
  ['"2019-05-14T00:00:00Z","table",0:0,1', 'row 2 of its table'],
  ['"2019-05-14T00:00:00Z","table",0:0,1:x', 'row 2 of its table'],
  ['"2019-05-14T00:00:00Z","table",0:0,1:2:3', 'row 2 of its table'],
  ['"2019-05-14T00:00:00Z","table",0:0,1:0x10', 'row 2 of its table'],
  ['"2019-05-14T00:00:00Z","table",0:0,:5', 'row 2 of its table'],
  ['"2019-05-14T00:00:00Z","polynomial",a:1,2:2', 'as coefficient 2'],
  ['"2019-05-14T00:00:00Z","polynomial",ab:1', 'as coefficient 1'],
  ['"2019-05-14T00:00:00Z","polynomial",a:1,A:2', 'must have coefficient a only once'],
])('%s is refused with its line', (text, problem) => {
  expect(() => parseRatingCsv(`${EXAMPLE}${text}\n`)).toThrow(/^line 3: /);
  expect(() => parseRatingCsv(`${EXAMPLE}${text}\n`)).toThrow(problem);
});

test('a long line takes no long time', () => {
  const began = process.threadCpuUsage();
  for (const filler of [' ', '1', '"', ',', ':'])
    expect(() => parseRatingCsv(`"2019-05-14T00:00:00Z","table",${filler.repeat(2_000_000)}x`)).toThrow('line 1');
  for (const filler of [' ', '"', '1']) expect(() => parseRatingCsv(filler.repeat(2_000_000) + 'x')).toThrow('line 1');
  const { user, system } = process.threadCpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});
