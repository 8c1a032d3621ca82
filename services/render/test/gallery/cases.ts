import { CHART_SETTINGS } from '@catchment/chart-settings';
import type { ChartNode } from '../../src/domain/chart-node.ts';
import type { Parameter } from '../../src/domain/parameter.ts';
import { chartNode, type Data, parameter, state, type World } from './world.ts';

/** A picture of the gallery shows a setting with a value. */
export type Case = {
  /** This object has the setting. */
  readonly group: string;
  readonly setting: string;
  readonly value: string;
  readonly world: World;
  readonly nodeRef: string;
  readonly arguments: Readonly<Record<string, string>>;
};

const START = Date.parse('2024-05-15T00:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RANGE = { startTime: '2024-05-15T00:00:00Z', endTime: '2024-05-18T00:00:00Z' };

/** Makes numbers between 0 and 1, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const hourly = (value: (hour: number, random: () => number) => number, hours = 73, seed = 1): Data => {
  const random = seeded(seed);
  return Array.from({ length: hours }, (_, hour) => ({ t: START + hour * HOUR, v: value(hour, random) }));
};
const rounded = (value: number, decimals = 2): number => Number(value.toFixed(decimals));

/** The flood rises fast and falls slowly. */
const stage = hourly((hour, random) => {
  const after = Math.max(0, hour - 30);
  return rounded(1.1 + 3.6 * (after / 5) * Math.exp(1 - after / 5) + 0.06 * random());
});
const temperature = hourly(
  (hour, random) => rounded(14 + 6 * Math.sin(((hour - 9) / 24) * 2 * Math.PI) + random()),
  73,
  2,
);
const rain = hourly((hour, random) => (hour > 22 && hour < 36 ? rounded(9 * random() * random(), 1) : 0), 73, 3);
const gappy: Data = stage.map((row, hour) =>
  hour > 40 && hour < 47
    ? { ...row, v: Number.NaN }
    : hour > 55 && hour < 62
      ? { ...row, q: hour > 58 ? 149 : 158 }
      : row,
);
const few: Data = stage.filter((_, hour) => hour % 6 === 0);

const STATES = {
  statesType: 'RANGE' as const,
  hysteresis: 0,
  states: [
    state('NORMAL'),
    state('HIGH WATER', { threshold: 2 }),
    state('WATCH', { threshold: 3, categoryId: 'operations' }),
    state('FLOOD', { threshold: 4, isAlarm: true }),
  ],
};
const level = (chart: Parameter['chart'] = {}, more: Partial<Parameter> = {}): Parameter =>
  parameter('Gauge height', chart, { units: 'm', ...more });

const world = (
  entries: readonly (readonly [Parameter, Data])[],
  ...nodes: readonly ReturnType<typeof chartNode>[]
): World => ({
  nodes: new Map<string, Parameter | ChartNode>([
    ...entries.map(([line]) => [line.nodeId, line] as const),
    ...nodes.map((node) => [node.nodeId, node] as const),
  ]),
  data: new Map(entries.map(([line, data]) => [line.nodeId, data])),
});

const alone = (
  group: string,
  setting: string,
  value: string,
  parameter: Parameter,
  data: Data,
  args: Record<string, string> = {},
): Case => ({
  group,
  setting,
  value,
  world: world([[parameter, data]]),
  nodeRef: parameter.nodeId,
  arguments: { ...RANGE, ...args },
});

const COLUMN = { type: 'ColumnChart' };
const AUTOMATIC_AND_OWN = ['AUTOMATIC', '#c2185b'];

/** Makes settings of a line or a column; `drawn` makes them visible. */
const lines = (
  setting: string,
  values: readonly (string | number | boolean)[],
  drawn: Record<string, unknown> = {},
  data = stage,
) => values.map((value) => alone('Line', setting, String(value), level({ ...drawn, [setting]: value }), data));
const columns = (
  setting: string,
  values: readonly (string | number | boolean)[],
  drawn: Record<string, unknown> = {},
  data = few,
) =>
  values.map((value) =>
    alone('Column', setting, String(value), level({ ...COLUMN, ...drawn, [setting]: value }), data),
  );

const LINE_CASES: readonly Case[] = [
  ...lines('lineType', CHART_SETTINGS.lineType.of, { markerSize: 3 }, few),
  ...lines('lineStyle', CHART_SETTINGS.lineStyle.of),
  ...lines('lineWidth', [0, 1, 2, 4, 6], { markerSize: 2 }),
  ...lines('markerType', CHART_SETTINGS.markerType.of, { markerSize: 5 }, few),
  ...lines('markerSize', [0, 1, 3, 6], {}, few),
  ...lines('primaryColor', AUTOMATIC_AND_OWN),
  ...lines('secondaryColor', AUTOMATIC_AND_OWN, { fillStyle: 'LINEAR_TOP', primaryColor: '#2f7ed8' }),
  ...lines('fillStyle', CHART_SETTINGS.fillStyle.of, { secondaryColor: '#f28f43' }),
  ...lines('fillOpacity', [0, 25, 75, 100], { fillStyle: 'SOLID' }),
  ...lines('shadow', [false, true], { lineWidth: 4 }),
  ...lines('qualityStyle', CHART_SETTINGS.qualityStyle.of, { fillStyle: 'SOLID', fillOpacity: 20 }, gappy),
  ...CHART_SETTINGS.stateThresholds.of.map((value) =>
    alone('Line', 'stateThresholds', value, level({ stateThresholds: value }, { states: STATES }), stage),
  ),
  alone('Line', 'aggregation.mode', 'RAW', level({ aggregation: { mode: 'RAW' } }), stage),
  ...['MIN', 'AVERAGE', 'MAX'].map((type) => {
    const aggregation = { mode: 'CUSTOM', type, period: 'FIXED', interval: '6H', baseTime: 'D' };
    return alone('Line', 'aggregation.type', type, level({ aggregation }), stage);
  }),
  ...['ABSOLUTE', 'RELATIVE'].map((baselineType) =>
    alone('Line', 'aggregation.baselineType', baselineType, level({ aggregation: { baselineType } }), stage),
  ),
];

const COLUMN_CASES: readonly Case[] = [
  ...columns('fillStyle', CHART_SETTINGS.fillStyle.of, { secondaryColor: '#f28f43' }),
  ...columns('fillOpacity', [0, 25, 75, 100]),
  ...columns('lineWidth', [0, 2, 6], { fillOpacity: 40 }),
  ...columns('shadow', [false, true]),
  ...columns('markerSize', [0, 4], { fillOpacity: 40 }),
  ...columns('qualityStyle', CHART_SETTINGS.qualityStyle.of, {}, gappy),
  ...columns('pointPlacementType', CHART_SETTINGS.pointPlacementType.of),
  ...CHART_SETTINGS.groupType.of.map((groupType): Case => {
    const own = (name: string): Parameter =>
      parameter(name, { ...COLUMN, groupType, fillOpacity: groupType === 'NORMAL' ? 55 : 75 }, { units: 'mm' });
    const data = (seed: number) =>
      Array.from({ length: 9 }, (_, n) => ({
        t: START + (n + 0.5) * 8 * HOUR,
        v: rounded(2 + ((n * seed) % 5) + n * 0.3),
      }));
    const names = ['Upper', 'Middle', 'Lower'];
    const links = names.map((nodeId) => ({ nodeId, name: nodeId }));
    return {
      group: 'Column',
      setting: 'groupType',
      value: groupType,
      world: world(
        names.map((name, index) => [own(name), data(index + 2)] as const),
        chartNode('chart.HistoricChart', 'Rain', { links, yAxes: [{ name: 'Rain [mm]' }] }),
      ),
      nodeRef: 'Rain',
      arguments: RANGE,
    };
  }),
];

const PARAMETER_CASES: readonly Case[] = [
  alone('Parameter', 'displayType', 'STATE', level({}, { states: STATES, displayType: 'STATE' }), stage),
  alone(
    'Parameter',
    'class',
    'TextPoint',
    parameter(
      'Weather',
      {},
      {
        valueType: 'TEXT',
        states: {
          statesType: 'DISCRETE',
          hysteresis: 0,
          states: [
            state('Rain', { textThreshold: 'rain' }),
            state('Storm', { textThreshold: 'storm', isAlarm: true }),
            state('Dry', { textThreshold: 'dry' }),
          ],
        },
      },
    ),
    ['dry', 'rain', 'storm', 'rain', 'dry', 'rain', 'dry'].map((v, n) => ({ t: START + (4 + n * 9) * HOUR, v })),
  ),
  alone('Parameter', 'data', 'none', level(), []),
  alone('Arguments', 'title, subtitle', 'both', level(), stage, { title: 'Dead Run', subtitle: 'A flood in May' }),
  alone('Arguments', 'timezone', 'Asia/Kolkata', level(), stage, { timezone: 'Asia/Kolkata' }),
];

const SERIES: readonly (readonly [Parameter, Data])[] = [
  [level({}, { states: STATES }), stage],
  [parameter('Air temperature', { lineStyle: 'SHORTDASH' }, { units: '°C' }), temperature],
  [parameter('Rain', { ...COLUMN }, { units: 'mm/h' }), rain],
];
const LINKS = SERIES.map(([{ nodeId }], index) => ({ nodeId, name: nodeId, yAxisIndex: index }));
const AXES = [
  { name: '', position: 'LEFT' },
  { name: '', position: 'RIGHT' },
  { name: '', position: 'RIGHT' },
];

const historic = (setting: string, value: string, attributes: Record<string, unknown>, extra = SERIES): Case => ({
  group: 'Historic chart node',
  setting,
  value,
  world: world(extra, chartNode('chart.HistoricChart', 'Overview', { links: LINKS, yAxes: AXES, ...attributes })),
  nodeRef: 'Overview',
  arguments: RANGE,
});
const withAxis = (more: Record<string, unknown>) => ({
  yAxes: [{ name: 'Gauge height [m]', ...more }],
  links: LINKS.slice(0, 1),
});

const HISTORIC_CASES: readonly Case[] = [
  historic('yAxes', 'three', {}),
  historic('description', 'a text', { description: 'Three days in May' }),
  historic('xAxis.position', 'TOP', { xAxis: { position: 'TOP' } }),
  historic('yAxes.position', 'RIGHT', withAxis({ position: 'RIGHT' })),
  historic('yAxes.showLabel', 'false', withAxis({ showLabel: false })),
  historic('yAxes.range', 'LINEAR_AUTOMATIC', withAxis({})),
  historic('yAxes.range', 'LINEAR_FIXED', withAxis({ range: 'LINEAR_FIXED', minimum: 0, maximum: 10 })),
  historic('yAxes.range', 'LOGARITHMIC', withAxis({ range: 'LOGARITHMIC' })),
  historic('yAxes.inverted', 'true', withAxis({ inverted: true })),
  historic('links.yAxisIndex', 'shared', {
    yAxes: [{ name: '' }],
    links: LINKS.map(({ yAxisIndex: _, ...link }) => link),
  }),
  historic('links.chart', 'other colours and lines', {
    links: LINKS.map((link, index) => ({
      ...link,
      chart: {
        primaryColor: ['#00695c', '#ef6c00', '#5e35b1'][index],
        _class: 'io.svc.models.node.point.chart.LineChart',
        lineWidth: 3,
      },
    })),
  }),
  historic('links.nodeId', 'a parameter that is gone', {
    links: [...LINKS, { nodeId: 'gone', name: 'Water temperature' }],
  }),
  historic(
    'links',
    'states beside values',
    { links: LINKS.slice(1, 2).concat({ nodeId: 'Pump', name: 'Pump', yAxisIndex: 1 }) },
    [
      ...SERIES,
      [
        parameter(
          'Pump',
          { lineType: 'STEP_LEFT' },
          {
            displayType: 'STATE',
            states: {
              statesType: 'DISCRETE',
              hysteresis: 0,
              states: [state('OFF', { threshold: 0 }), state('ON', { threshold: 1 })],
            },
          },
        ),
        hourly((hour) => Math.floor(hour / 11) % 2, 73),
      ],
    ],
  ),
  historic(
    'links',
    'many',
    {
      yAxes: [{ name: 'Level [m]' }],
      links: Array.from({ length: 24 }, (_, n) => ({ nodeId: `Well ${n + 1}`, name: `Observation well ${n + 1}` })),
    },
    Array.from(
      { length: 24 },
      (_, n) =>
        [
          parameter(`Well ${n + 1}`, { lineWidth: 1 }, { units: 'm' }),
          hourly((hour) => rounded(n * 0.4 + Math.sin(hour / 9 + n)), 73),
        ] as const,
    ),
  ),
];

const SEVERAL: Case = {
  group: 'Several parameters',
  setting: 'params',
  value: 'three units',
  world: {
    ...world(SERIES),
    nodes: new Map(SERIES.map(([line], index) => [['@stage', '@temperature', '@rain'][index] ?? '', line])),
  },
  nodeRef: '',
  arguments: { ...RANGE, params: '@stage,@temperature,@rain', title: 'Dead Run' },
};

const wind = (seed: number): readonly (readonly [Parameter, Data])[] => {
  const random = seeded(seed);
  const rows = Array.from({ length: 1_500 }, (_, n) => {
    const fromWest = random() < 0.62;
    const direction = (fromWest ? 255 : 70) + 80 * (random() + random() - 1);
    const speed = (fromWest ? 9 : 5) * (random() + random()) * 0.8;
    return { t: START + n * 10 * 60_000, direction: rounded((direction + 360) % 360, 1), speed: rounded(speed, 1) };
  });
  return [
    [parameter('Wind speed', {}, { units: 'm/s' }), rows.map(({ t, speed }) => ({ t, v: speed }))],
    [parameter('Wind direction', {}, { units: '°' }), rows.map(({ t, direction }) => ({ t, v: direction }))],
  ];
};

const rose = (
  setting: string,
  value: string,
  attributes: Record<string, unknown> = {},
  args: Record<string, string> = {},
): Case => ({
  group: 'Wind rose node',
  setting,
  value,
  world: world(
    wind(5),
    chartNode('chart.WindRoseChart', 'Rose', {
      speedNodeId: 'Wind speed',
      directionNodeId: 'Wind direction',
      legendTitle: 'Wind speed',
      speedUnits: 'm/s',
      ...attributes,
    }),
  ),
  nodeRef: 'Rose',
  arguments: { startTime: '2024-05-15T00:00:00Z', endTime: '2024-05-25T00:00:00Z', ...args },
});

const ROSE_CASES: readonly Case[] = [
  rose('speedRanges', 'default'),
  rose('speedRanges', '3, 6, 9', { speedRanges: [3, 6, 9] }),
  rose('rangeColors', 'FIXED', {
    rangeColors: 'FIXED',
    colors: ['#e3f2fd', '#90caf9', '#42a5f5', '#1e88e5', '#1565c0', '#0d47a1', '#311b92'],
  }),
  rose('legendTitle', 'Gusts, km/h', { legendTitle: 'Gusts', speedUnits: 'km/h' }),
  rose('aggregation', 'AVERAGE of 3 hours', {
    aggregation: { mode: 'CUSTOM', type: 'AVERAGE', period: 'FIXED', interval: '3H', baseTime: 'D' },
  }),
  rose('directionNodeId', 'a parameter that is gone', { directionNodeId: 'gone' }),
  rose('data', 'none', {}, { startTime: '2020-01-01T00:00:00Z', endTime: '2020-01-02T00:00:00Z' }),
  rose('size', 'narrow', {}, { width: '340', height: '480' }),
];

const DEPTHS = 16;
const inclinometer: readonly (readonly [Parameter, Data])[] = Array.from({ length: DEPTHS }, (_, n) => [
  parameter(`Depth ${n}`, {}, { units: 'mm' }),
  Array.from({ length: 24 }, (_, day) => ({
    t: START + (day - 20) * DAY,
    v: rounded((0.4 + day * 0.9) * Math.exp(-(((n - 6) / 3) ** 2)) + 0.15 * Math.sin(n * 2 + day)),
  })),
]);
const measurementLinks = inclinometer.map(([{ nodeId }]) => ({ nodeId, name: nodeId }));

const displacement = (
  setting: string,
  value: string,
  attributes: Record<string, unknown> = {},
  links = measurementLinks,
): Case => ({
  group: 'Displacement node',
  setting,
  value,
  world: world(
    inclinometer,
    chartNode('chart.DisplacementChart', 'Slope', {
      startRange: '2024-05-01T00:00:00Z',
      endRange: '2024-05-18T00:00:00Z',
      maxSeries: 6,
      seriesTimeFormat: 'D MMM',
      profileType: 'FIXED_INCREMENTAL',
      start: 0,
      increment: 0.5,
      measurementUnits: 'mm',
      profileUnits: 'm',
      measurementLinks: links,
      ...attributes,
    }),
  ),
  nodeRef: 'Slope',
  arguments: {},
});
const band = { name: 'Slip zone', type: 'BAND', start: 2, end: 4, orientation: 'HORIZONTAL', color: '#f28f43' };
const limit = { name: 'Limit', type: 'LINE', value: 15, orientation: 'VERTICAL', lineStyle: 'DASH', color: '#c42525' };

const DISPLACEMENT_CASES: readonly Case[] = [
  displacement('orientation', 'VERTICAL'),
  displacement('orientation', 'HORIZONTAL', { orientation: 'HORIZONTAL' }),
  displacement('maxSeries', '3', { maxSeries: 3 }),
  displacement('seriesTimeFormat', 'YYYY-MM-DD HH:mm', { seriesTimeFormat: 'YYYY-MM-DD HH:mm' }),
  displacement('startRange', 'NONE', { startRange: 'NONE' }),
  displacement('endRange', 'NONE', { endRange: 'NONE' }),
  displacement('baseline', 'RELATIVE_RANGE', { baseline: 'RELATIVE_RANGE' }),
  displacement('baseline', 'RELATIVE_FIRST', { baseline: 'RELATIVE_FIRST' }),
  displacement('baseline', 'RELATIVE_FIXED', { baseline: 'RELATIVE_FIXED', baselineTime: '2024-05-10T12:00:00Z' }),
  displacement('process', 'SUM_START', { process: 'SUM_START' }),
  displacement('process', 'SUM_END', { process: 'SUM_END' }),
  displacement('measurementOffset', '100', { measurementOffset: 100 }),
  displacement('xAxis', 'TOP, fixed, ticks of 2.5', {
    xAxis: {
      name: 'Movement [mm]',
      position: 'TOP',
      range: 'LINEAR_FIXED',
      minimum: -5,
      maximum: 25,
      tickInterval: 2.5,
    },
  }),
  displacement('yAxis', 'RIGHT, not inverted', { yAxis: { name: 'Height', position: 'RIGHT', inverted: false } }),
  displacement('thresholds', 'a line and a band', { thresholds: [band, limit] }),
  displacement('colors', 'two', { colors: ['#00695c', '#ef6c00'] }),
  displacement('lineType', 'SPLINE', { lineType: 'SPLINE' }),
  displacement('lineStyle, lineWidth', 'DASH, 3', { lineStyle: 'DASH', lineWidth: 3 }),
  displacement('markerType, markerSize', 'AUTOMATIC, 5', { markerType: 'AUTOMATIC', markerSize: 5 }),
  displacement('shadow', 'true', { shadow: true }),
  displacement('profileType', 'FIXED_MANUAL', {
    profileType: 'FIXED_MANUAL',
    profileValues: measurementLinks.map((_, n) => rounded(0.05 * n * n)),
  }),
  displacement('measurementLinks', 'one that is gone', {}, [
    ...measurementLinks.slice(0, 5),
    { nodeId: 'gone', name: 'Depth 5' },
    ...measurementLinks.slice(6),
  ]),
];

export const CASES: readonly Case[] = [
  ...LINE_CASES,
  ...COLUMN_CASES,
  ...PARAMETER_CASES,
  SEVERAL,
  ...HISTORIC_CASES,
  ...ROSE_CASES,
  ...DISPLACEMENT_CASES,
];
