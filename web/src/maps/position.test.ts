import { lines, lineText, positionText } from './position.ts';

test.each([
  [39.31131, -76.71644, '39.3113° N, 76.7164° W'],
  [-33.86, 151.2, '33.8600° S, 151.2000° E'],
  [0, 0, '0.0000° N, 0.0000° E'],
])('%d, %d', (latitude, longitude, expected) => {
  expect(positionText({ latitude, longitude })).toBe(expected);
});

test.each([
  [39.2951, 39.3299, 0.005, 6],
  [-180, 180, 30, 13],
  [0.00001, 0.00002, 0.0001, 0],
])('lines between %d and %d', (from, to, step, count) => {
  const found = lines(from, to);
  expect([found.step, found.at.length]).toEqual([step, count]);
});

test.each([
  [76.72, 0.02, '76.72° E'],
  [-0.5, 0.5, '0.5° W'],
  [-1e-12, 0.5, '0°'],
  [30, 15, '30° E'],
])('%d is labelled', (degree, step, expected) => {
  expect(lineText(degree, step, ['E', 'W'])).toBe(expected);
});
