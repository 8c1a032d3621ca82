import { pageLanguage } from './page-language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de-DE,de;q=0.9,en;q=0.8', 'de'],
  ['en-GB,de;q=0.5', 'en'],
  ['fr-FR, de;q=0.8', 'de'],
  ['fr', 'en'],
  [`${'fr,'.repeat(1_000)}de`, 'en'],
])('a browser that reads %s gets a page in %s', (accepted, language) => {
  expect(pageLanguage(accepted)).toBe(language);
});
