import { chart, series } from '../../test/builders.ts';
import { PLAIN_AXIS } from './chart.ts';
import { linkedChart } from './chart-settings.ts';
import { readHistoricChart, settleAxes } from './historic-chart.ts';

test('without attributes there is one automatic axis, the time below, and nothing on it', () => {
  expect(readHistoricChart({})).toEqual({ timeAxis: 'BOTTOM', axes: [PLAIN_AXIS], links: [] });
});

test('a link names its axis and its kind, whatever the prefix of classes', () => {
  const { links } = readHistoricChart({
    yAxes: [{}, { position: 'RIGHT' }],
    links: [
      {
        nodeId: 'a',
        name: 'A',
        yAxisIndex: 1,
        chart: { _class: 'com.example.models.node.point.chart.ColumnChart', lineWidth: 4 },
      },
      { nodeId: 'b', name: 'B', yAxisIndex: 7 },
    ],
  });
  expect(links).toEqual([
    { nodeId: 'a', name: 'A', axis: 1, chart: { type: 'ColumnChart', lineWidth: 4 } },
    { nodeId: 'b', name: 'B', axis: 0, chart: {} },
  ]);
});

test.each([
  [
    'settings of a link are over those of its parameter',
    { lineWidth: 2, shadow: true },
    { lineWidth: 5 },
    { lineWidth: 5, shadow: true },
  ],
  [
    'another kind has its own default fill',
    { type: 'LineChart', fillStyle: 'NONE' },
    { type: 'ColumnChart' },
    { type: 'ColumnChart' },
  ],
  [
    'a chosen fill stays',
    { type: 'LineChart', fillStyle: 'SOLID' },
    { type: 'ColumnChart' },
    { type: 'ColumnChart', fillStyle: 'SOLID' },
  ],
  [
    'the same kind keeps its fill',
    { type: 'LineChart', fillStyle: 'NONE' },
    { type: 'LineChart' },
    { type: 'LineChart', fillStyle: 'NONE' },
  ],
])('%s', (_what, own, link, expected) => {
  expect(linkedChart(own, link)).toEqual(expected);
});

const states = (...names: string[]) => names.map((name) => ({ name, isAlarm: false, notifies: false }));
const steps = (names: string[], ...stateIndexes: number[]) =>
  series([], { states: states(...names), data: { kind: 'STEPS', stateIndexes: Int32Array.from(stateIndexes) } });

test('states beside values have an axis of their own', () => {
  const settled = settleAxes([series([1]), steps(['OFF', 'ON'], 1)], chart([]).axes);
  expect(settled.axes.map(({ position }) => position)).toEqual(['LEFT', 'RIGHT']);
  expect(settled.series.map(({ axis = 0 }) => axis)).toEqual([0, 1]);
});

test('series of states on one axis agree on its places', () => {
  const settled = settleAxes([steps(['OFF', 'ON'], 0, 1, -1), steps(['ON', 'FAULT'], 0, 1)], chart([]).axes);
  expect(settled.axes).toHaveLength(1);
  expect(settled.series.map((line) => line.states.map(({ name }) => name))).toEqual([
    ['OFF', 'ON', 'FAULT'],
    ['OFF', 'ON', 'FAULT'],
  ]);
  expect(settled.series.map(({ data }) => (data.kind === 'STEPS' ? [...data.stateIndexes] : []))).toEqual([
    [0, 1, -1],
    [1, 2],
  ]);
});
