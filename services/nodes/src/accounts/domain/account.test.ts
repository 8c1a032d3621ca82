import { slugOf } from './account.ts';

test.each([
  ['River Gauges Ltd', 7, 'rivergaugesltd7'],
  ['Ünïcode & Söhne', 1, 'unicodesohne1'],
  ['日本', 3, 'account3'],
  ['A very long account name indeed', 999_999, 'averylongaccou999999'],
])('the slug of %s', (name, number, slug) => {
  expect(slugOf(name, number)).toBe(slug);
  expect(slug).toMatch(/^[a-z0-9]{3,20}$/);
});
