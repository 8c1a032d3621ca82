import { addMonths, firstInstant, monthOf, partitionName } from './month.ts';

test.each([
  ['the first instant', '2016-05-01T00:00:00.000Z', 'events_2016_05'],
  ['the last instant', '2016-05-31T23:59:59.999Z', 'events_2016_05'],
  ['the oldest time', '1800-01-01T00:00:00.000Z', 'events_1800_01'],
  ['before 1970', '1969-12-31T23:59:59.999Z', 'events_1969_12'],
  ['the latest time', '9998-12-31T23:59:59.999Z', 'events_9998_12'],
])('month of %s', (_what, iso, name) => {
  expect(partitionName(monthOf(Date.parse(iso)))).toBe(name);
});

test.each([
  [{ year: 2016, month: 12 }, 1, '2017-01-01T00:00:00Z'],
  [{ year: 2016, month: 1 }, -1, '2015-12-01T00:00:00Z'],
  [{ year: 2016, month: 11 }, 2, '2017-01-01T00:00:00Z'],
  [{ year: 9998, month: 12 }, 1, '9999-01-01T00:00:00Z'],
])('%j and %i months', (month, count, first) => {
  expect(firstInstant(addMonths(month, count))).toBe(first);
});
