import { stateAxis, valueAxis } from './value-axis.ts';

test.each([
  ['ends on round numbers', [1.6, 5.3], false, [1.5, 5.5]],
  ['bars stand on zero', [1.6, 5.3], true, [0, 5.5]],
  ['negative bars hang from zero', [-3, -1], true, [-3, 0]],
  ['a flat line lies in the middle', [50], false, [45, 55]],
  ['a flat zero has some room', [0, 0], false, [0, 1]],
  ['nothing to show gives 0 to 1', [], false, [0, 1]],
  ['values without a number are skipped', [Number.NaN, 2, Number.NaN, 4], false, [2, 4]],
])('%s', (_what, values, includeZero, domain) => {
  expect(valueAxis(values, 8, includeZero).domain).toEqual(domain);
});

test.each([
  ['the largest doubles', [-1.7e308, 1.7e308]],
  ['the smallest ones', [5e-324, 1e-323]],
  ['one huge number', [1e300]],
  ['neighbouring doubles', [1, 1 + Number.EPSILON]],
])('%s still make an axis of finite numbers', (_what, values) => {
  const { domain, ticks } = valueAxis(values, 8, false);
  expect(domain.every(Number.isFinite)).toBe(true);
  expect(domain[1] - domain[0]).toBeGreaterThan(0);
  expect(domain[1] - domain[0]).toBeLessThan(Number.POSITIVE_INFINITY);
  expect(ticks.length).toBeLessThan(30);
});

test.each([
  ['plain numbers', [0, 1500], ['0', '500', '1,000', '1,500']],
  ['a minus sign of its own', [-2, 2], ['−2', '−1', '0', '1', '2']],
  ['powers where zeros would not fit', [0, 4e12], ['0e+0', '1e+12', '2e+12', '3e+12', '4e+12']],
])('labels have %s', (_what, values, expected) => {
  expect(valueAxis(values, 4, false).ticks.map(({ label }) => label)).toEqual(expected);
});

test('states lie one above the other, with room for each', () => {
  expect(stateAxis(['FALSE', 'TRUE'])).toMatchObject({ domain: [-0.5, 1.5], states: ['FALSE', 'TRUE'] });
  expect(stateAxis([]).domain).toEqual([-0.5, 0.5]);
});

const fixed = { range: 'LINEAR_FIXED', minimum: -5, maximum: 25 } as const;
const automatic = { range: 'LINEAR_AUTOMATIC' } as const;
const log = { range: 'LOGARITHMIC' } as const;

test.each([
  ['a fixed range is kept as it is', [0, 1000], { ...fixed, minimum: -20, maximum: 30 }, [-20, 30], undefined],
  [
    'ticks stand at multiples of their interval',
    [0],
    { ...fixed, tickInterval: 7.5 },
    [-5, 25],
    ['0', '7.5', '15', '22.5'],
  ],
  ['an interval far too small is not taken', [0, 5], { ...automatic, tickInterval: 1e-6 }, [0, 5], undefined],
  ['an interval of 0 is none', [0, 5], { ...automatic, tickInterval: 0 }, [0, 5], undefined],
  ['an interval beyond the range leaves one tick', [0, 5], { ...automatic, tickInterval: 50 }, [0, 5], ['0']],
  ['decades have their powers and what lies between', [2, 80], log, [1, 100], ['1', '2', '5', '10', '20', '50', '100']],
  ['many decades have some of their powers', [1e-30, 1e30], log, [1e-30, 1e30], undefined],
  ['what has no logarithm is skipped', [-5, 0, Number.NaN, 3], log, [1, 10], ['1', '2', '5', '10']],
  ['nothing to show of a logarithm', [-1], log, [1, 10], ['1', '2', '5', '10']],
  ['one value has a decade around it', [10], log, [1, 100], ['1', '2', '5', '10', '20', '50', '100']],
] as const)('%s', (_what, values, settings, domain, labels) => {
  const axis = valueAxis(values, 10, false, settings);
  expect(axis.domain).toEqual(domain);
  if (labels) expect(axis.ticks.map(({ label }) => label)).toEqual(labels);
  expect(axis.ticks.length).toBeLessThanOrEqual(12);
  expect(axis.ticks.every(({ v }) => Number.isFinite(v))).toBe(true);
});

test.each([
  ['millions of millions', [2e9, 2e9 + 4]],
  ['a value near the largest', [1e15, 1e15 + 10]],
  ['parts of millionths', [3e-7, 4e-7]],
  ['halves', [-3, 8.9]],
  ['the largest of all', [-1.7e308, 1.7e308]],
] as const)('every place of an axis has a number of its own: %s', (_what, values) => {
  const { ticks } = valueAxis(values, 10, false);
  const labels = ticks.map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels.length).toBeGreaterThan(2);
  expect(labels.join(' ')).not.toMatch(/Infinity|NaN/);
  for (const [i, { v }] of ticks.entries()) {
    const labelled = Number(labels[i]!.replace('\u2212', '-').replaceAll(',', ''));
    expect(Math.abs(labelled - v)).toBeLessThan((ticks[1]!.v - ticks[0]!.v) / 100);
  }
});
