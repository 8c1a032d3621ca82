import { bitsOf, hasBit } from './overwrite.ts';

test.each([
  [[], 0],
  [[], 9],
  [[0, 7, 8], 9],
  [[15], 16],
])('bits of %j among %i records read back', (indexes, count) => {
  const bits = bitsOf(indexes, count);
  expect(bits).toHaveLength(Math.ceil(count / 8));
  expect(Array.from({ length: count + 20 }, (_, n) => n).filter((n) => hasBit(bits, n))).toEqual(indexes);
});
