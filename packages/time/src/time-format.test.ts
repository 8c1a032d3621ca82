import { effectiveZone, formatTime } from './index.ts';

const AT = Date.parse('2024-05-05T13:07:09.045Z'); // a Sunday
const sydney = effectiveZone('Australia/Sydney', true, AT);

test.each([
  ['YYYY-MM-DDTHH:mm:ss', '2024-05-05T13:07:09'],
  ['YYYY-MM-DD HH:mm:ss', '2024-05-05 13:07:09'],
  ['YYYY-MM-DDTHH:mm:ss.SSSZ', '2024-05-05T13:07:09.045+00:00'],
  ['M MM MMM MMMM Mo', '5 05 May May 5th'],
  ['D DD Do', '5 05 5th'],
  ['DDD DDDD DDDo', '126 126 126th'],
  ['d do dd ddd dddd e E', '0 0th Su Sun Sunday 0 7'],
  ['w ww wo W WW Wo', '18 18 18th 18 18 18th'],
  ['YY YYYY gg gggg GG GGGG', '24 2024 24 2024 24 2024'],
  ['h hh A a', '1 01 PM pm'],
  ['H HH m mm s ss', '13 13 7 07 9 09'],
  ['S SS SSS SSSSSS SSSSSSSSS', '0 04 045 045000 045000000'],
  ['Z ZZ', '+00:00 +0000'],
  ['X', '1714914429'],
  ['x', '1714914429045'],
  ['X x', 'X x'],
  ['[Day] D [of] MMMM', 'Day 5 of May'],
  ['[open D', '[op0n 5'],
  ['[]YYYY', '2024'],
  ['DD/MM/YYYY; "%"', '05/05/2024; "%"'],
  ['YYYYMMDD', '20240505'],
  ['Y', 'Y'],
  ['', ''],
])('%s prints %s', (format, expected) => {
  expect(formatTime(AT, format)).toBe(expected);
});

test.each([
  ['YYYY-MM-DD HH:mm Z', '2024-05-05 23:07 +10:00'],
  ['ZZ', '+1000'],
])('%s prints the wall clock of the zone: %s', (format, expected) => {
  expect(formatTime(AT, format, sydney)).toBe(expected);
});

test.each([
  ['2021-01-01', '2020 53 5'],
  ['2024-12-30', '2025 01 1'],
  ['2023-01-01', '2022 52 7'],
  ['2024-01-01', '2024 01 1'],
])('ISO week of %s: %s', (date, expected) => {
  expect(formatTime(Date.parse(date), 'GGGG WW E')).toBe(expected);
});

test.each([
  ['2024-05-01', '1st'],
  ['2024-05-02', '2nd'],
  ['2024-05-03', '3rd'],
  ['2024-05-11', '11th'],
  ['2024-05-12', '12th'],
  ['2024-05-13', '13th'],
  ['2024-05-22', '22nd'],
  ['2024-05-31', '31st'],
])('%s is the %s', (date, expected) => {
  expect(formatTime(Date.parse(date), 'Do')).toBe(expected);
});

test('midnight and noon of the half-day', () => {
  expect(formatTime(Date.parse('2024-05-01T00:05:00Z'), 'h:mm a')).toBe('12:05 am');
  expect(formatTime(Date.parse('2024-05-01T12:05:00Z'), 'h:mm a')).toBe('12:05 pm');
});
