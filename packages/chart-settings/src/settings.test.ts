import {
  CHART_SETTINGS,
  CHART_TYPES,
  type ChartSetting,
  type ChartType,
  chartTypeOf,
  defaultOf,
  settingsOf,
} from './index.ts';

test.each<[ChartType, string[], string[]]>([
  ['LineChart', ['lineType', 'lineStyle'], ['groupType', 'pointPlacementType']],
  ['ColumnChart', ['groupType', 'pointPlacementType'], ['lineType', 'lineStyle']],
])('a %s has settings of its own, and none of the other type', (type, own, other) => {
  const names = settingsOf(type).map(([name]) => name as string);
  expect(names).toEqual(expect.arrayContaining([...own, 'lineWidth', 'fillStyle']));
  expect(names.filter((name) => other.includes(name))).toEqual([]);
});

test.each([
  ['columns are filled', 'fillStyle', 'ColumnChart', 'VALUE', 'SOLID'],
  ['lines are not', 'fillStyle', 'LineChart', 'VALUE', 'NONE'],
  ['the line of states is stepped', 'lineType', 'LineChart', 'STATE', 'STEP_LEFT'],
  ['the line of values is not', 'lineType', 'LineChart', 'VALUE', 'NORMAL'],
  ['an expected interval is learnt', 'expectedIntervalSeconds', 'LineChart', 'VALUE', null],
] as const)('where nobody chose, %s', (_what, name, type, displayType, expected) => {
  expect(defaultOf(name, type, displayType)).toBe(expected);
});

test.each(Object.entries<ChartSetting>(CHART_SETTINGS))('the default of %s keeps its rule', (_name, setting) => {
  if (setting.kind === 'choice') expect(setting.of).toContain(setting.default);
  if (setting.kind === 'integer') {
    expect(setting.default).toBeGreaterThanOrEqual(setting.min);
    expect(setting.default).toBeLessThanOrEqual(setting.max);
  }
});

test('a chart without a known type is one of lines', () => {
  expect([undefined, 'PieChart', ...CHART_TYPES].map(chartTypeOf)).toEqual([
    'LineChart',
    'LineChart',
    'LineChart',
    'ColumnChart',
  ]);
});
