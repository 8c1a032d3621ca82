import { readChartSettings } from './chart-settings.ts';

test('the defaults are those of a new parameter', () => {
  expect(readChartSettings({}, 'VALUE')).toEqual({
    kind: 'LINE',
    stateThresholds: 'ALL',
    markerType: 'AUTOMATIC',
    markerSize: 0,
    qualityStyle: 'MARKER_HOVER',
    shadow: false,
    primaryColor: 'AUTOMATIC',
    secondaryColor: 'AUTOMATIC',
    fillStyle: 'NONE',
    fillOpacity: 75,
    lineWidth: 2,
    lineType: 'NORMAL',
    lineStyle: 'SOLID',
    pointPlacementType: 'ON',
    expectedIntervalSeconds: null,
    groupType: 'NORMAL',
    baselineType: 'ABSOLUTE',
  });
});

test.each([
  ['displayType STATE is stepped', {}, 'STATE', { lineType: 'STEP_LEFT' }],
  ['columns are filled', { type: 'ColumnChart' }, 'VALUE', { kind: 'COLUMN', fillStyle: 'SOLID' }],
  [
    'what is set wins',
    { lineWidth: 6, lineType: 'SPLINE', primaryColor: '#AbCdEf' },
    'STATE',
    { lineWidth: 6, lineType: 'SPLINE', primaryColor: '#AbCdEf' },
  ],
  [
    'a baseline of the aggregation counts',
    { aggregation: { baselineType: 'RELATIVE' } },
    'VALUE',
    { baselineType: 'RELATIVE' },
  ],
  [
    'unknown words take the default',
    { lineType: 'WAVY', markerType: 7, fillStyle: null },
    'VALUE',
    { lineType: 'NORMAL', markerType: 'AUTOMATIC', fillStyle: 'NONE' },
  ],
  [
    'numbers out of range take the default',
    { lineWidth: 7, markerSize: -1, fillOpacity: 0.5 },
    'VALUE',
    { lineWidth: 2, markerSize: 0, fillOpacity: 75 },
  ],
  [
    'a colour is a hex colour',
    { primaryColor: 'url(#x)', secondaryColor: 'red' },
    'VALUE',
    { primaryColor: 'AUTOMATIC', secondaryColor: 'AUTOMATIC' },
  ],
  ['what a peer leaves out is no setting', { lineType: '', aggregation: undefined }, 'VALUE', { lineType: 'NORMAL' }],
] as const)('%s', (_what, given, displayType, expected) => {
  expect(readChartSettings(given, displayType)).toMatchObject(expected);
});
