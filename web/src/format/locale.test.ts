import { localesOf } from './locale.ts';

test.each([
  [['en-US'], 'en-US', '1,234.5'],
  [['en-AU', 'en-US'], 'en-AU', '1,234.5'],
  [['de-DE', 'de', 'en-US'], 'en-US', '1.234,5'],
  [['fr'], 'en-GB', '1\u202f234,5'],
  [['pl'], 'en-GB', '1234,5'],
  // Their digits would stand beside those of times.
  [['ar-EG'], 'en-GB', '1,234.5'],
  [['fa-u-nu-arabext'], 'en-GB', '1,234.5'],
  [['en-US@posix', 'C', '', 'de'], 'en-GB', '1.234,5'],
  [['xx-nobody'], 'en-GB', '1,234.5'],
  [[], 'en-GB', '1,234.5'],
])('of a browser in %j dates are %s, and a number is %s', (languages, dates, number) => {
  const locales = localesOf(languages);
  expect(locales.dates).toBe(dates);
  expect(new Intl.NumberFormat(locales.numbers).format(1234.5)).toBe(number);
});
