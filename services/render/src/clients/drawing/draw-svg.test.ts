import { chart, HOUR, START, series } from '../../../test/builders.ts';
import { markOf, positionOf, scalesOf, textsOf, verticesOf } from '../../../test/svg-reading.ts';
import type { Chart } from '../../domain/chart.ts';
import { drawSvg } from './draw-svg.ts';
import { textWidth } from './fonts/text-width.ts';

const { NaN: NONE } = Number;
const names = (svg: string): string[] => textsOf(svg).map(({ text }) => text);

test('the line has one vertex per record, each at its scaled value', async () => {
  const values = Array.from({ length: 25 }, (_, i) => Math.sin(i) * 10);
  const svg = await drawSvg(chart([series(values)]));
  const scales = scalesOf(svg);
  const vertices = verticesOf(svg, 'series-0');
  expect(vertices).toHaveLength(25);
  expect(scales.series).toEqual([
    expect.objectContaining({ records: 25, mark: 'series-0', color: '#2f7ed8', units: '°C' }),
  ]);
  vertices.forEach(({ x, y }, index) => {
    const expected = positionOf(scales, START + index * HOUR, values[index] as number);
    expect(Math.abs(x - expected.x)).toBeLessThan(0.01);
    expect(Math.abs(y - expected.y)).toBeLessThan(0.01);
  });
});

test('a record without value breaks the line', async () => {
  const vertices = verticesOf(await drawSvg(chart([series([1, 2, NONE, 4, 5])])), 'series-0');
  expect(vertices.map(({ command }) => command).join('')).toBe('MLML');
});

test('bounding records lead the line over the edges, and are not counted as records', async () => {
  const timestamps = Float64Array.of(START - HOUR, START + HOUR, START + 25 * HOUR);
  const svg = await drawSvg(chart([series([1, 2, 3], { timestamps })]));
  const { plot, series: facts } = scalesOf(svg);
  const vertices = verticesOf(svg, 'series-0');
  expect(facts[0]?.records).toBe(1);
  expect(vertices[0]?.x).toBeLessThan(plot.x);
  expect(vertices[2]?.x).toBeGreaterThan(plot.x + plot.width);
  expect(svg).toContain(`clip-path`);
});

test.each([
  ['NORMAL', [1, 2], /^M[^MLVHC]*L[^MLVHC]*$/],
  ['STEP_LEFT', [1, 2], 'holds, then steps'],
  ['STEP_RIGHT', [1, 2], 'steps, then holds'],
  ['STEP_CENTER', [1, 2], 'steps midway'],
  ['SPLINE', [1, 2, 0], /^M[^C]*C/],
] as const)('lineType %s has its own shape', async (lineType, values, shape) => {
  const svg = await drawSvg(chart([series(values, { chart: { lineType } })]));
  if (typeof shape !== 'string') {
    expect(/ d="([^"]*)"/.exec(markOf(svg, 'series-0'))?.[1]).toMatch(shape);
    return;
  }
  const vertices = verticesOf(svg, 'series-0');
  const scales = scalesOf(svg);
  const at = (hour: number, value: number) => {
    const { x, y } = positionOf(scales, START + hour * HOUR, value);
    return { x: Math.round(x), y: Math.round(y) };
  };
  const corner = {
    'holds, then steps': [at(1, 1)],
    'steps, then holds': [at(0, 2)],
    'steps midway': [at(0.5, 1), at(0.5, 2)],
  };
  const rounded = vertices.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  expect(rounded).toEqual(expect.arrayContaining([at(0, 1), ...(corner[shape] ?? []), at(1, 2)]));
});

test('columns stand on zero, one per record with a value, as wide as the median spacing less a margin', async () => {
  const svg = await drawSvg(chart([series([1, 2, NONE, 4], { chart: { type: 'ColumnChart' } })]));
  const bars = [...markOf(svg, 'series-0').matchAll(/d="M([\d.]+),([\d.]+)h([\d.]+)v([\d.]+)/g)].map((bar) =>
    bar.map(Number),
  );
  const scales = scalesOf(svg);
  expect(bars).toHaveLength(3);
  const hourWidth = (scales.plot.width * HOUR) / (24 * HOUR);
  bars.forEach(([, x = 0, y = 0, width = 0, height = 0], index) => {
    const expected = positionOf(scales, START + [0, 1, 3][index]! * HOUR, [1, 2, 4][index]!);
    expect(x + width / 2).toBeCloseTo(expected.x, 0);
    expect(y).toBeCloseTo(expected.y, 0);
    expect(y + height).toBeCloseTo(scales.plot.y + scales.plot.height, 0);
    expect(width).toBeCloseTo(hourWidth * 0.86, 0);
  });
});

const STATES = [
  { name: 'LOW', threshold: 2, isAlarm: false, notifies: true },
  { name: 'NORMAL', isAlarm: false, notifies: false },
  { name: 'HIGH', threshold: 8, isAlarm: true, notifies: false },
  { name: 'CRITICAL', threshold: 80, isAlarm: true, notifies: false },
];

test.each([
  ['ALL', ['LOW', 'HIGH']],
  ['ALARM', ['HIGH']],
  ['NONALARM', ['LOW']],
  ['USER_NOTIFICATION', ['LOW']],
  ['NONE', []],
])('stateThresholds %s names those inside the value range', async (stateThresholds, expected) => {
  const svg = await drawSvg(chart([series([0, 5, 10], { states: STATES, chart: { stateThresholds } })]));
  const shown = [...markOf(svg, 'series-0-thresholds-names').matchAll(/>([^<]+)<\/text>/g)].map(([, name]) => name);
  expect(shown).toEqual(expected);
});

test('the threshold of an alarm state is red, others are grey, all are dashed', async () => {
  const lines = markOf(await drawSvg(chart([series([0, 5, 10], { states: STATES })])), 'series-0-thresholds');
  expect([...lines.matchAll(/stroke="(#\w+)"/g)].map(([, color]) => color)).toEqual(['#808080', '#d62728']);
  expect([...lines.matchAll(/stroke-dasharray="6,4"/g)]).toHaveLength(2);
});

test('a colour that comes again is a dashed line, where nobody has chosen another', async () => {
  const all = Array.from({ length: 22 }, (_, i) =>
    series([i, i + 1, i], { chart: i === 21 ? { lineStyle: 'SHORTDOT', lineWidth: 1 } : { lineWidth: 1 } }),
  );
  const svg = await drawSvg(chart(all));
  const dashes = [0, 9, 10, 19, 20, 21].map((i) => /stroke-dasharray="([\d,]+)"/.exec(markOf(svg, `series-${i}`))?.[1]);
  expect(dashes).toEqual([undefined, undefined, '4,3', '4,3', '1,3', '1,1']);
});

test.each([
  ['no line is drawn at width 0', { lineWidth: 0 }, /^$/, 'series-0'],
  ['the line has its colour', { primaryColor: '#123456' }, /stroke="#123456"/, 'series-0'],
  ['dashes grow with the line', { lineStyle: 'DASHDOT', lineWidth: 3 }, /stroke-dasharray="12,9,3,9"/, 'series-0'],
  ['a fill has its opacity', { fillStyle: 'SOLID', fillOpacity: 40 }, /fill-opacity="0.4"/, 'series-0-fill'],
  ['a gradient is one', { fillStyle: 'RADIAL_INSIDE' }, /fill="url\(/, 'series-0-fill'],
  [
    'markers are drawn per record',
    { markerSize: 4, markerType: 'SQUARE' },
    /^(<path [^>]*>(<\/path>)?){3}$/,
    'series-0-markers',
  ],
  ['a shadow lies below', { shadow: true }, /stroke-opacity="0.15"/, 'series-0-shadow'],
] as const)('%s', async (_what, settings, expected, mark) => {
  expect(markOf(await drawSvg(chart([series([1, 3, 2], { chart: settings })])), mark)).toMatch(expected);
});

test.each([
  ['MARKER', 2, false],
  ['MARKER_LINE', 2, true],
  ['MARKER_FILL', 2, true],
  ['MARKER_HOVER', 0, false],
  ['NONE', 0, false],
])('qualityStyle %s', async (qualityStyle, markers, pieces) => {
  const qualities = Int32Array.of(-1, 149, 158, 100);
  const qualityColors = { 149: '#b04ec1', 158: '#f9ae3a' };
  const svg = await drawSvg(chart([series([1, 2, 3, 4], { qualities, qualityColors, chart: { qualityStyle } })]));
  const colors = [...markOf(svg, 'series-0-quality-markers').matchAll(/fill="(#\w+)"/g)].map(([, color]) => color);
  expect(colors).toEqual(['#b04ec1', '#f9ae3a'].slice(0, markers));
  expect(svg.includes('series-0-quality-pieces')).toBe(pieces);
});

test('a text parameter shows each change of state as a flag', async () => {
  const states = [
    { name: 'rain', isAlarm: false, notifies: false },
    { name: 'snow', isAlarm: true, notifies: false },
  ];
  const flags = series([0, 0, 0, 0], {
    units: '',
    states,
    data: { kind: 'FLAGS', stateIndexes: Int32Array.of(0, 0, -1, 1) },
  });
  const svg = await drawSvg(chart([flags]));
  expect(names(svg).filter((name) => name === 'rain' || name === 'snow')).toEqual(['rain', 'snow']);
  expect(markOf(svg, 'series-0')).toContain('#d62728');
});

test('a stepped line over states has their names on the axis', async () => {
  const states = [
    { name: 'FALSE', threshold: 0, isAlarm: false, notifies: false },
    { name: 'TRUE', threshold: 1, isAlarm: false, notifies: false },
  ];
  const steps = series([0, 0, 0], { states, data: { kind: 'STEPS', stateIndexes: Int32Array.of(0, 1, -1) } });
  const svg = await drawSvg(chart([steps]));
  expect(names(svg)).toEqual(expect.arrayContaining(['FALSE', 'TRUE']));
  expect(scalesOf(svg).y.states).toEqual(['FALSE', 'TRUE']);
});

test('titles, axis title with units and the zone are written; one series needs no legend', async () => {
  const svg = await drawSvg(chart([series([1, 2])], { title: 'Station', subtitle: 'upper', footer: 'Europe/Berlin' }));
  expect(names(svg)).toEqual(expect.arrayContaining(['Station', 'upper', 'Air temperature [°C]', 'Europe/Berlin']));
  expect(names(svg)).not.toContain('Air temperature');
});

test('several series have a legend in the order and colours of the palette', async () => {
  const svg = await drawSvg(chart([series([1, 2], { name: 'A' }), series([2, 3], { name: 'B' })]));
  expect(names(svg)).toEqual(expect.arrayContaining(['A', 'B']));
  expect(scalesOf(svg).series.map(({ color }) => color)).toEqual(['#2f7ed8', '#0d233a']);
});

test('without data the chart is empty and says so', async () => {
  const svg = await drawSvg(chart([series([])]));
  expect(names(svg)).toContain('No data');
  expect(scalesOf(svg).series[0]?.records).toBe(0);
});

test('texts are texts: no markup, no expressions, no characters that XML forbids', async () => {
  const evil = `<script>alert(1)</script>&"'\u0000\u0008\ud800 {{datum.v}} \${1+1} datum.x`;
  const line = series([1, 2], {
    name: evil,
    path: evil,
    units: evil,
    states: [{ name: evil, threshold: 1.5, isAlarm: true, notifies: true }],
  });
  const svg = await drawSvg(chart([line], { title: evil, subtitle: evil }));
  expect(svg).not.toContain('<script');
  expect(names(svg).filter((text) => text.includes('+1} datum.x')).length).toBeGreaterThanOrEqual(3);
  expect(svg).not.toMatch(/(?!\s)\p{Cc}/u);
  expect(svg.isWellFormed()).toBe(true);
  expect(scalesOf(svg).series[0]?.name).toContain('<script>');
});

const LONG = 'A very long name that certainly does not fit anywhere, µg/m³ and so on and so forth';
const sizes: [number, number][] = [
  [100, 100],
  [100, 4000],
  [4000, 100],
  [260, 180],
  [400, 300],
  [1200, 800],
  [4000, 4000],
];
const contents: [string, Partial<Chart>, number[]][] = [
  ['plain', {}, [1, 2, 3]],
  ['titles', { title: LONG, subtitle: LONG }, [-123_456_789, 987_654_321]],
  ['a month', { endMs: START + 31 * 24 * HOUR, zone: 'Asia/Tokyo' }, [1e-9, 2e300]],
  ['one instant', { endMs: START }, [5]],
];
test.each(sizes.flatMap((size) => contents.map(([what, more, values]) => [size, what, more, values] as const)))(
  'at %j (%s) no text leaves the picture',
  async ([width, height], _what, more, values) => {
    const states = [{ name: LONG, threshold: 2, isAlarm: true, notifies: false }];
    const svg = await drawSvg(
      chart([series(values, { name: LONG, states }), series(values)], { ...more, width, height }),
    );
    for (const { text, x, y, anchor, size, bold, upright } of textsOf(svg)) {
      if (text === '') continue;
      const length = textWidth(text, size, bold ? 'bold' : 'normal');
      const before = anchor === 'middle' ? length / 2 : anchor === 'end' ? length : 0;
      if (upright) {
        expect({
          text,
          left: x - before >= 0,
          right: x - before + length <= width,
          top: y - size * 0.8 >= 0,
          bottom: y <= height,
        }).toEqual({
          text,
          left: true,
          right: true,
          top: true,
          bottom: true,
        });
      } else {
        expect({ text, top: y - length / 2 >= 0, bottom: y + length / 2 <= height }).toEqual({
          text,
          top: true,
          bottom: true,
        });
      }
    }
    const { plot } = scalesOf(svg);
    expect(plot.width).toBeGreaterThan(width * 0.3);
    expect(plot.height).toBeGreaterThan(15);
  },
);

test.each([
  ['above zero', [300, 310, 305]],
  ['below zero', [-300, -310, -305]],
  ['on both sides', [-4, 6, 2]],
])('an area of values %s stands on zero, which the axis shows', async (_what, values) => {
  const svg = await drawSvg(chart([series(values, { chart: { fillStyle: 'SOLID' } })]));
  const scales = scalesOf(svg);
  const zero = positionOf(scales, START, 0).y;
  const edges = [...markOf(svg, 'series-0-fill').matchAll(/[ML]-?[\d.]+,(-?[\d.]+)/g)].map(([, y]) => Number(y));
  expect(edges.filter((y) => Math.abs(y - zero) < 0.01).length).toBeGreaterThanOrEqual(values.length);
  expect(Math.min(...scales.y.domain)).toBeLessThanOrEqual(0);
  expect(Math.max(...scales.y.domain)).toBeGreaterThanOrEqual(0);
});
