import { editText } from './edit-text.ts';

const some = (records: number, values = 0, qualities = 0, annotations = 0) => ({
  records,
  values,
  qualities,
  annotations,
});

test.each([
  [some(3, 3, 2, 1), some(0), 0, '3 records inserted [3 values, 2 quality, 1 annotations]'],
  [some(0), some(2, 0, 2), 0, '2 modified [2 quality]'],
  [some(0), some(0), 4, '4 deleted'],
  [some(1, 1), some(2, 1, 0, 1), 1, '1 records inserted [1 values], 2 modified [1 values, 1 annotations], 1 deleted'],
])('%#: what is 0 is left out', (inserted, modified, deleted, text) => {
  expect(editText({ inserted, modified, deleted })).toBe(text);
});
