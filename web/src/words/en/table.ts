import { counted } from '../plural.ts';

const n = counted('en');

export const table = {
  filter: 'Filter',
  filterHint: 'Filter these rows',
  columns: 'Columns',
  copy: 'Copy',
  copied: (rows: string) => `${rows} rows copied`,
  export: 'Save as CSV',
  chooseAll: 'Choose all',
  chooseNone: 'Choose none',
  chosen: (count: string) => `${count} chosen`,
  rows: (count: string, isPart: boolean) => (isPart ? `${count} so far` : `${count} in all`),
  noMatch: 'No row has these words.',
  showAll: 'Show all',
  chooseRow: 'Choose',
  sortBy: (column: string) => `Sort by ${column}`,
  keys: 'Arrows move, Enter opens, space chooses, Shift and arrows choose several.',
  rowCount: (count: number) => n(count, { one: '# row', other: '# rows' }),
};
