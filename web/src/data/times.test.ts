import { byTokens } from './times.ts';

const MS = Date.UTC(2026, 2, 5, 14, 7, 9, 42);

test.each([
  ['YYYY-MM-DD HH:mm:ss', 'en', '2026-03-05 14:07:09'],
  ['D.M.YY h:mm A', 'en', '5.3.26 2:07 PM'],
  ['dddd, DD MMMM YYYY [at] hh:m:s.SSS a', 'en', 'Thursday, 05 March 2026 at 02:7:9.042 pm'],
  ['ddd DD MMM', 'de', 'Do 05 Mär'],
  ['[toString] toString', 'en', 'toString toString'],
])('%s in %s writes a time', (format, locale, expected) => {
  const write = byTokens(format, locale);
  expect([write(MS), write(MS)]).toEqual([expected, expected]);
});
