import { scaledGroups, scaledQuery } from './scaled-rules.ts';

const SCALE = { factor: 30, longestSeconds: 30 };

test.each([
  ['a range', 'rate(a[5m])', 'rate(a[10s])'],
  ['a range too short for two samples', 'rate(a[1m])', 'rate(a[8s])'],
  ['a range of days is cut off', 'rate(a[3d])', 'rate(a[30s])'],
  ['a subquery', 'max_over_time(a[1h:1m])', 'max_over_time(a[30s:2s])'],
  ['an offset of a subquery', 'max_over_time(a[1d:5m] offset 1h)', 'max_over_time(a[30s:10s] offset 30s)'],
  ['an offset', 'a offset 1h', 'a offset 30s'],
  ['an age in minutes', 'a > 5 * 60', 'a > 5 * 2'],
  ['an age in hours', 'a > 26 * 3600', 'a > 26 * 120'],
  [
    'requests of a range',
    'sum by (a) (increase(b_count{c="d"}[1h])) >= 500',
    'sum by (a) (increase(b_count{c="d"}[30s])) >= 4',
  ],
  [
    'failures stay',
    'sum by (a) (increase(b_total{c="d"}[1h])) >= 5',
    'sum by (a) (increase(b_total{c="d"}[30s])) >= 5',
  ],
  ['sizes and shares stay', 'a > 14.4 * 0.001 and b > 0.9', 'a > 14.4 * 0.001 and b > 0.9'],
])('%s', (_what, promQl, expected) => {
  expect(scaledQuery(promQl, SCALE)).toBe(expected);
});

test('how long a rule waits and lasts is scaled, and nothing else of it', () => {
  const rules = [
    { alert: 'A', expr: 'a[5m]', for: '2m', keep_firing_for: '5m', labels: { severity: 'critical' } },
    { record: 'b', expr: 'a' },
  ];
  expect(scaledGroups([{ name: 'g', rules }], SCALE)).toEqual([
    {
      name: 'g',
      rules: [
        { alert: 'A', expr: 'a[10s]', for: '4s', keep_firing_for: '10s', labels: { severity: 'critical' } },
        { record: 'b', expr: 'a' },
      ],
    },
  ]);
});
