import { labelled } from './overlays.ts';
import { earlier, rangeOf, rangeText, shiftMs, shiftOf, windowOf } from './ranges.ts';
import { back, begun, forward, went } from './zoom-history.ts';

const at = (iso: string) => Date.parse(iso);
const NOW = at('2026-03-31T12:00:00Z');

test.each([
  ['NOW-7D', '2026-03-24T12:00:00Z'],
  ['NOW-1MO', '2026-02-28T12:00:00Z'],
  ['NOW-1Y', '2025-03-31T12:00:00Z'],
  ['NOW-25MO', '2024-02-29T12:00:00Z'],
  ['NOW-90M', '2026-03-31T10:30:00Z'],
])('%s begins at %s', (text, start) => {
  const range = rangeOf(text)!;
  expect(windowOf(range, NOW)).toEqual({ start: at(start), end: NOW });
  expect(rangeText(range)).toBe(text);
});

test('a range that is fixed or everything is what the address says', () => {
  const text = '2018-05-26T00:00:00.000Z/2018-05-28T12:00:00.250Z';
  expect(windowOf(rangeOf(text)!, NOW)).toEqual({
    start: at('2018-05-26T00:00:00Z'),
    end: at('2018-05-28T12:00:00.25Z'),
  });
  expect(rangeText(rangeOf(text)!)).toBe(text);
  expect(windowOf(rangeOf('all')!, NOW)).toBeUndefined();
});

test.each([
  '',
  '7D',
  'NOW-0D',
  'NOW-7X',
  'NOW+7D',
  '2018-05-26/2018-05-27',
  '2018-05-28T00:00:00Z/2018-05-26T00:00:00Z',
])('%j is no range', (text) => {
  expect(rangeOf(text)).toBeUndefined();
});

test('the same time of the year before lies under the window, over a leap day too', () => {
  const window = { start: at('2024-02-25T00:00:00Z'), end: at('2024-03-03T00:00:00Z') };
  expect(window.end - shiftMs(window, shiftOf('1Y')!)).toBe(at('2023-03-03T00:00:00Z'));
  expect(earlier(at('2024-02-29T06:00:00Z'), { count: 1, unit: 'Y' })).toBe(at('2023-02-28T06:00:00Z'));
  expect(earlier(at('0100-01-01T00:00:00Z'), { count: 1, unit: 'MO' })).toBe(at('0099-12-01T00:00:00Z'));
});

test('a chart goes back and forward, until it goes somewhere else', () => {
  const same = (a: number, b: number) => a === b;
  const three = went(went(begun(1), 2, same), 3, same);
  expect(went(three, 3, same)).toBe(three);
  const two = back(three)!;
  expect([two.now, forward(two)!.now, back(back(two)!)]).toEqual([2, 3, undefined]);
  expect(forward(went(two, 4, same))).toBeUndefined();
  let many = begun(0);
  for (let n = 1; n < 500; n += 1) many = went(many, n, same);
  expect(many.past.length).toBe(50);
});

test('names of thresholds do not stand on each other', () => {
  expect(labelled([10, 15, 40, 52, 60], 13)).toEqual([true, false, true, false, true]);
});
