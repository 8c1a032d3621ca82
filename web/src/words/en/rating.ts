import { counted } from '../plural.ts';

const n = counted('en');

/** These words come with the part «Rating». */
export const rating = {
  readOnly: 'You may look at the rating here, and not change it.',
  input: 'Input',
  inputText: 'The parameter whose records are turned into results.',
  ratings: 'Ratings by their dates',
  entries: 'Ratings',
  none: 'There is no rating yet. Add one, or read a file.',
  from: (time: string) => `from ${time}`,
  noTime: 'without a date',
  kindTable: (rows: number) => n(rows, { one: 'table of # row', other: 'table of # rows' }),
  kindPolynomial: (count: number) =>
    n(count, { one: 'polynomial of # coefficient', other: 'polynomial of # coefficients' }),
  addTable: 'Add a table',
  addPolynomial: 'Add a polynomial',
  copy: 'Copy this one',
  remove: 'Remove this one',
  startTime: 'Valid from',
  startText: 'It is valid until the next one begins.',
  table: 'Rows of the table',
  inputOf: (row: number) => `Input of row ${row}`,
  resultOf: (row: number) => `Result of row ${row}`,
  inputHead: 'Input',
  resultHead: 'Result',
  addRow: 'Add a row',
  removeRow: (row: number) => `Remove row ${row}`,
  pasteHint: 'Rows can be pasted from a sheet: two columns, input and result.',
  doubled: 'Another row has this input.',
  coefficient: (letter: string, power: number) =>
    power === 0
      ? `${letter}: constant`
      : power === 1
        ? `${letter}: times x`
        : `${letter}: times x to the power of ${power}`,
  addCoefficient: 'Add a coefficient',
  removeCoefficient: 'Remove the last coefficient',
  chart: 'Curve of this rating',
  chartHint:
    'Drag a point, or move it by the arrow keys: with Shift ten steps. Page up and page down go to the next point, Delete removes it.',
  point: (row: number, input: string, result: string) => `Row ${row}: input ${input}, result ${result}`,
  pointLabel: (row: number) => `Point of row ${row}`,
  tooMany: 'There are too many points to be moved here. Change them in the table.',
  logarithmic: 'Logarithmic axes',
  effect: 'What it makes of the last records',
  effectNone: 'The input has no records yet.',
  effectFailed: 'The records of the input could not be read.',
  effectSame: (records: number) =>
    n(records, {
      one: 'The last record gets the same result as before.',
      other: 'The last # records get the same results as before.',
    }),
  effectChanged: (changed: number, records: number, most: string) =>
    `${changed} of the last ${records} records get another result; the greatest difference is ${most}.`,
  effectWithout: (count: number) =>
    n(count, {
      one: '# record gets no value: it lies outside of the table, or before the first date.',
      other: '# records get no value: they lie outside of the table, or before the first date.',
    }),
  effectChart: 'Results of the last records: before in grey, as typed in colour',
  before: 'as it is saved',
  after: 'as it is typed',
  csv: 'File',
  csvOut: 'Save as a file (CSV)',
  csvIn: 'Read a file',
  csvDrop: 'or drop a CSV file here. Its ratings take the place of all that are saved.',
  csvRead: 'The file was read, and the series is computed anew.',
  csvRefused: (text: string) => `The file was refused: ${text}`,
  undo: 'Undo',
  undone: 'The ratings from before are back.',
  whole: 'Saving computes the whole series anew.',
};
export type RatingWords = typeof rating;
