import { partsOf, withoutParts, withPart } from './zoom-address.ts';

const PART = { start: Date.parse('2018-06-16T00:00:00Z'), end: Date.parse('2018-06-17T12:00:00.250Z') };
const TEXT = '2018-06-16T00:00:00.000Z/2018-06-17T12:00:00.250Z';

test('a part of a chart is written so that it can be read, beside the other arguments as they are', () => {
  const address = withPart('?timezone=Asia%2FTokyo&header=none', 'chart', PART);
  expect(address).toBe(`?timezone=Asia%2FTokyo&header=none&zoom.chart=${TEXT}`);
  expect(partsOf(address)).toEqual(new Map([['chart', PART]]));
  expect(withoutParts(address)).toBe('?timezone=Asia%2FTokyo&header=none');
  expect(withPart(address, 'chart', undefined)).toBe('?timezone=Asia%2FTokyo&header=none');
  expect(withPart(`?zoom.chart=${TEXT}`, 'chart', undefined)).toBe('');
});

test('each chart has its own part, whatever programs have made of the colons', () => {
  const address = withPart(`?zoom.a=${encodeURIComponent(TEXT)}`, 'b', PART);
  expect([...partsOf(address).keys()]).toEqual(['a', 'b']);
  expect(partsOf(address).get('a')).toEqual(PART);
  expect([...partsOf(withPart(address, 'a', undefined)).keys()]).toEqual(['b']);
});

test('parts of pixels are whole milliseconds around them', () => {
  const address = withPart('', 'chart', { start: PART.start + 0.75, end: PART.end - 0.25 });
  expect(partsOf(address).get('chart')).toEqual(PART);
});

test.each([
  ['nothing', ''],
  ['one time', '2018-06-16T00:00:00Z'],
  ['a text', 'yes/no'],
  ['an empty part', '2018-06-16T00:00:00Z/2018-06-16T00:00:00Z'],
  ['the end first', '2018-06-17T00:00:00Z/2018-06-16T00:00:00Z'],
  ['a day that is none', '2018-06-99T00:00:00Z/2018-07-16T00:00:00Z'],
  ['a year of six digits', '+275760-09-13T00:00:00Z/+275760-09-13T00:00:01Z'],
  ['local times', '2018-06-16T00:00:00/2018-06-17T00:00:00'],
  ['three times', `${TEXT}/2019-01-01T00:00:00Z`],
  ['a broken encoding', '%E0%A4%A'],
])('%s is no part, and goes with the next one', (_what, value) => {
  const search = `?zoom.chart=${value}&timezone=UTC`;
  expect(partsOf(search).size).toBe(0);
  expect(withoutParts(search)).toBe('?timezone=UTC');
  expect(partsOf(withPart(search, 'chart', PART)).get('chart')).toEqual(PART);
});

test('an address is not longer than servers take', () => {
  let address = '';
  for (let i = 0; i < 100; i += 1) address = withPart(address, `${i}`.padStart(24, 'a'), PART);
  expect(address.length).toBeLessThan(2_500);
  expect([...partsOf(address).keys()].at(-1)).toBe('99'.padStart(24, 'a'));
});
