import { DomainError } from '@catchment/errors';
import { readArguments } from './index.ts';

const NOW = Date.parse('2024-05-15T10:47:23.456Z');

test('an empty argument counts as absent, except where empty means something', () => {
  const read = readArguments({ limit: '', format: '', title: '', startTime: '', filter: '', sort: '', attr: '' });
  expect(read.has('limit')).toBe(true);
  expect(read.has('skip')).toBe(false);
  expect(read.int('limit', { min: 1, max: 5 })).toBeUndefined();
  expect(read.oneOf('format', ['JSON'])).toBeUndefined();
  expect(read.text('title')).toBeUndefined();
  expect(read.textOrEmpty('title')).toBe('');
  expect(read.time('startTime')).toBeUndefined();
  expect([read.filter(), read.sort(), read.attr()]).toEqual([[], [], undefined]);
});

test('names of Object.prototype are no arguments', () => {
  expect(readArguments({}).text('constructor')).toBeUndefined();
});

test.each([
  ['TRUE', true],
  ['false', false],
  ['True', true],
])('the boolean %s', (value, expected) => {
  expect(readArguments({ header: value }).bool('header')).toBe(expected);
});

test.each(['1', '0', '', 'yes', ' TRUE'])('the boolean %j is refused', (value) => {
  expect(() => readArguments({ header: value }).bool('header')).toThrow('header must be TRUE or FALSE');
});

test.each([
  ['5', 5],
  ['+5', 5],
  ['-0', 0],
  ['0005', 5],
  ['10', 10],
])('the int %s', (value, expected) => {
  expect(readArguments({ limit: value }).int('limit', { min: 0, max: 10 })).toBe(expected);
});

test.each(['11', '-1', '1.0', '1e1', 'a', ' 1', '0x1', '99999999999999999999'])('the int %j is refused', (value) => {
  expect(() => readArguments({ limit: value }).int('limit', { min: 0, max: 10 })).toThrow(
    'limit must be a whole number 0-10',
  );
});

test('enumerated values are taken in any letter case', () => {
  const read = readArguments({ format: 'json', qualityExcluded: 'bad, Uncertain', wrong: 'xml', list: 'BAD,,GOOD' });
  expect(read.oneOf('format', ['JSON', 'CSV'])).toBe('JSON');
  expect(read.listOf('qualityExcluded', ['GOOD', 'BAD', 'UNCERTAIN'])).toEqual(['BAD', 'UNCERTAIN']);
  expect(() => read.oneOf('wrong', ['JSON', 'CSV'])).toThrow('wrong must be one of JSON, CSV');
  expect(() => read.listOf('list', ['GOOD', 'BAD'])).toThrow('list must be one of GOOD, BAD');
});

test('times, intervals and zones', () => {
  const read = readArguments({
    startTime: '2024-01-01T00:00:00 0200',
    endTime: 'NOW-1D',
    interval: '1H30M',
    baseTime: 'D 9H',
    timezone: 'australia/sydney',
    timezoneAdjustForDst: 'TRUE',
  });
  expect(read.time('startTime')).toEqual({ kind: 'instant', instantMs: Date.parse('2023-12-31T22:00:00Z') });
  expect(read.instantMs('startTime')).toBe(Date.parse('2023-12-31T22:00:00Z'));
  expect(read.time('endTime')).toMatchObject({ kind: 'relative' });
  expect(read.period('interval')).toMatchObject({ H: 1, M: 30 });
  expect(read.relativeTime('baseTime')).toMatchObject({ base: 'D', offsets: [{ amount: 9, unit: 'H' }] });
  expect(read.zone(NOW).name).toBe('Australia/Sydney');
  expect(readArguments({}).zone(NOW).isUtc).toBe(true);
  expect(readArguments({ timezone: 'Australia/Sydney' }).zone(Date.parse('2024-01-01T00:00:00Z')).name).toBe('+10:00');
  for (const wrong of [
    () => read.instantMs('endTime'),
    () => readArguments({ startTime: 'x' }).time('startTime'),
    () => readArguments({ interval: '0D' }).period('interval'),
    () => readArguments({ timezone: 'Mars' }).zone(NOW),
    () => readArguments({ filter: 'x' }).filter(),
    () => readArguments({ sort: 'x(' }).sort(),
  ]) {
    expect(wrong).toThrow(DomainError);
  }
});
