import { readChartSettings } from './chart-settings.ts';

test('the defaults are those of a new parameter', () => {
  expect(readChartSettings('', 'VALUE')).toEqual({
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
    baselineType: 'ABSOLUTE',
  });
});

test.each([
  ['displayType STATE is stepped', '{}', 'STATE', { lineType: 'STEP_LEFT' }],
  [
    'columns are filled',
    '{"_class":"io.svc.models.node.point.chart.ColumnChart"}',
    'VALUE',
    { kind: 'COLUMN', fillStyle: 'SOLID' },
  ],
  [
    'what is set wins',
    '{"lineWidth":6,"lineType":"SPLINE","primaryColor":"#AbCdEf"}',
    'STATE',
    { lineWidth: 6, lineType: 'SPLINE', primaryColor: '#AbCdEf' },
  ],
  [
    'a baseline of the aggregation counts',
    '{"aggregation":{"baselineType":"RELATIVE"}}',
    'VALUE',
    { baselineType: 'RELATIVE' },
  ],
  [
    'unknown words take the default',
    '{"lineType":"WAVY","markerType":7,"fillStyle":null}',
    'VALUE',
    { lineType: 'NORMAL', markerType: 'AUTOMATIC', fillStyle: 'NONE' },
  ],
  [
    'numbers out of range take the default',
    '{"lineWidth":7,"markerSize":-1,"fillOpacity":0.5}',
    'VALUE',
    { lineWidth: 2, markerSize: 0, fillOpacity: 75 },
  ],
  [
    'a colour is a hex colour',
    '{"primaryColor":"url(#x)","secondaryColor":"red"}',
    'VALUE',
    { primaryColor: 'AUTOMATIC', secondaryColor: 'AUTOMATIC' },
  ],
  ['text that is no JSON is no setting', '{', 'VALUE', { lineType: 'NORMAL' }],
  ['null is no setting', 'null', 'VALUE', { lineType: 'NORMAL' }],
] as const)('%s', (_what, json, displayType, expected) => {
  expect(readChartSettings(json, displayType)).toMatchObject(expected);
});
