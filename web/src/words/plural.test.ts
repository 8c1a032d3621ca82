import { counted } from './plural.ts';

test.each([
  ['en', 0, '0 nodes'],
  ['en', 1, '1 node'],
  ['en', 12_345, '12,345 nodes'],
  ['de', 12_345, '12.345 nodes'],
])('%s, %d: %s', (language, count, expected) => {
  expect(counted(language)(count, { one: '# node', other: '# nodes' })).toBe(expected);
});

test('nothing may have a form of its own', () => {
  expect(counted('en')(0, { zero: 'empty', other: '# tiles' })).toBe('empty');
});
