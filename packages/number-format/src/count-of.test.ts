import { countOf } from './count-of.ts';

test.each([
  [0, ['line'], '0 lines'],
  [1, ['line'], '1 line'],
  [2, ['line'], '2 lines'],
  [1, ['quality', 'qualities'], '1 quality'],
  [3, ['quality', 'qualities'], '3 qualities'],
  [1, ['row has', 'rows have'], '1 row has'],
  [2, ['row has', 'rows have'], '2 rows have'],
] as const)('%p of %p is %p', (count, [singular, many], expected) => {
  expect(countOf(count, singular, many)).toBe(expected);
});
