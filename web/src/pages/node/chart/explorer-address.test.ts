import { queryOf, stateOf } from './explorer-address.ts';

const A = 'a'.repeat(24);
const B = 'b'.repeat(24);

test('an address says what a chart shows, and what is usual is not written', () => {
  const query = { range: 'NOW-1Y', with: `${A},${B}`, shift: '1Y', hide: 'qualities' };
  expect(queryOf(stateOf(query))).toEqual(query);
  expect(queryOf(stateOf({}))).toEqual({});
});

test.each([
  ['nobody knows', { range: 'yesterday', with: 'x,<b>', shift: 'often', hide: 'all' }, {}],
  ['stands twice', { with: `${A},${A}` }, { with: A }],
  [
    'is too much',
    { with: Array.from({ length: 20 }, (_, i) => i.toString(16).padStart(24, '0')).join() },
    { with: expect.any(String) },
  ],
])('what %s is left out', (_what, query, expected) => {
  const state = stateOf(query as Record<string, string>);
  expect(queryOf(state)).toEqual(expected);
  expect(state.with.length).toBeLessThan(8);
});
