import type { EncodeEntry, Mark } from 'vega';
import type { AxisSettings, ProfileScales, Profiles, Scale } from '../../../domain/chart.ts';
import { readChartSettings } from '../../../domain/chart-settings.ts';
import { pixelOf } from '../../../domain/scale.ts';
import { fitText, textWidth } from '../fonts/text-width.ts';
import { dataSet, literal, rowsOf } from './data-set.ts';
import { frameMarks } from './frame-marks.ts';
import { VALUE_ROWS, valueAxisMarks } from './horizontal-axis.ts';
import { type Layout, layoutOf } from './layout.ts';
import type { LegendEntry } from './legend.ts';
import type { SeriesMarks } from './line-marks.ts';
import { COLORS, FONT } from './palette.ts';
import { type BuiltPicture, plotFacts, specOf, vegaScale } from './picture-spec.ts';
import { type SeriesStyle, strokeDash, styleOf } from './series-style.ts';
import { GROUND_OPACITY } from './threshold-marks.ts';
import { valueAxis } from './value-axis.ts';

/** Bands are paler than lines. */
const BAND_OPACITY = 0.18;

/** Profiles have no settings of fills and qualities. */
const BY_DEFAULT = readChartSettings({}, 'VALUE');

/** Profiles (docs/reference/charts.md#displacement-node): a line per instant over thresholds. */
export function buildProfiles(profiles: Profiles): BuiltPicture<ProfileScales> {
  const { series, xAxis, yAxis } = profiles;
  const styles = series.map(({ color }, index) =>
    styleOf({ ...BY_DEFAULT, ...profiles.style, primaryColor: color }, index),
  );
  const entries = [
    ...series.map(
      ({ name, color }, index): LegendEntry => ({ name, color, kind: 'LINE', ...(styles[index] as SeriesStyle).sign }),
    ),
    ...profiles.missing.map((name): LegendEntry => ({ name, color: COLORS.text, kind: 'WARNING' })),
  ];
  const layout = layoutOf(profiles, {
    legend: entries,
    axes: [
      {
        side: yAxis.position === 'RIGHT' ? 'RIGHT' : 'LEFT',
        title: yAxis.showLabel ? yAxis.name : '',
        color: COLORS.text,
        inverted: yAxis.inverted,
        make: (maxTicks) => valueAxis(valuesOf(profiles, 'ys', yAxis), maxTicks, false, yAxis),
      },
    ],
    horizontal: { side: xAxis.position === 'TOP' ? 'TOP' : 'BOTTOM', rows: VALUE_ROWS },
  });
  const along = valueAxisMarks(xAxis, xAxis.name, valuesOf(profiles, 'xs', xAxis), layout);
  const y = layout.axes[0]?.scale as Scale;
  const frame = frameMarks(
    profiles,
    layout,
    series.every(({ xs, ys }) => xs.every((x, n) => Number.isNaN(x) || Number.isNaN(ys[n] as number))),
  );
  const thresholds = thresholdParts(profiles, layout, along.scale, y);
  const lines = styles.map((style, index) => profileMarks(profiles, style, index, layout));
  const parts = [along.parts, frame, thresholds, ...lines];
  const marks: Mark[] = [
    ...thresholds.marks.slice(0, 1),
    ...frame.below,
    ...along.parts.below,
    ...thresholds.marks.slice(1, 2),
    ...lines.flatMap((line) => line.marks),
    ...thresholds.marks.slice(2),
    ...along.parts.above,
    ...frame.above,
  ];
  const scales = [vegaScale('x', along.scale), vegaScale('y', y)];
  return {
    spec: specOf(profiles, { parts, marks, scales }),
    scales: {
      plot: plotFacts(layout),
      x: along.scale,
      y,
      series: series.map(({ name, color }, index) => ({ name, color, mark: `series-${index}` })),
    },
  };
}

/** Yields what decides the ends of an axis: the points, and thresholds that lie across it. */
function* valuesOf({ series, thresholds }: Profiles, of: 'xs' | 'ys', { range }: AxisSettings): Generator<number> {
  const isSkipped = (v: number) => Number.isNaN(v) || (range === 'LOGARITHMIC' && v <= 0);
  for (const line of series) for (const v of line[of]) if (!isSkipped(v)) yield v;
  for (const { orientation, from, to } of thresholds) {
    if ((orientation === 'HORIZONTAL') !== (of === 'ys')) continue;
    for (const v of [from, to]) if (!isSkipped(v)) yield v;
  }
}

function profileMarks(
  profiles: Profiles,
  { line, shadow, marker }: SeriesStyle,
  index: number,
  { plot }: Layout,
): SeriesMarks {
  const { style, along, xAxis, yAxis } = profiles;
  const { xs, ys } = profiles.series[index] as Profiles['series'][number];
  const name = `series-${index}`;
  const isShown = (v: number, { range }: AxisSettings) => Number.isFinite(v) && (range !== 'LOGARITHMIC' || v > 0);
  const rows = Array.from(xs, (x, n) => {
    const y = ys[n] as number;
    const defined = isShown(x, xAxis) && isShown(y, yAxis);
    return defined ? { x, y, defined } : { x: 1, y: 1, defined };
  });
  const clip = { path: `M${plot.left - 3},${plot.top - 3}H${plot.right + 3}V${plot.bottom + 3}H${plot.left - 3}Z` };
  const path = {
    x: { scale: 'x', field: 'x' },
    y: { scale: 'y', field: 'y' },
    defined: { field: 'defined' },
    interpolate: literal(style.lineType === 'SPLINE' ? 'monotone' : 'linear'),
    // Smooth along the profile, whichever way it lies.
    orient: literal(along === 'y' ? 'horizontal' : 'vertical'),
  } as const;
  const lineMark = (lineName: string, more: EncodeEntry): Mark => ({
    type: 'line',
    name: lineName,
    from: rowsOf(name),
    clip,
    encode: { enter: { ...path, ...more } },
  });
  const marks: Mark[] = [];
  if (line && shadow) {
    const aside = { x: { ...path.x, offset: 1.5 }, y: { ...path.y, offset: 1.5 } };
    marks.push(lineMark(`${name}-shadow`, { ...aside, ...shadow.line }));
  }
  if (line) marks.push(lineMark(name, line.paint));
  if (marker) {
    marks.push({
      type: 'symbol',
      name: `${name}-markers`,
      from: rowsOf(`${name}-markers`),
      clip,
      encode: { enter: { x: path.x, y: path.y, ...marker } },
    });
  }
  return {
    data: [
      dataSet(name, rows),
      dataSet(
        `${name}-markers`,
        rows.filter(({ defined }) => defined),
      ),
    ],
    marks,
  };
}

/** Bands, lines, names: to be painted below, between and above the rest. */
function thresholdParts({ thresholds }: Profiles, { plot, labelSize }: Layout, x: Scale, y: Scale): SeriesMarks {
  const size = labelSize * 0.92;
  const clampX = (v: number) => Math.min(Math.max(v, plot.left), plot.right);
  const clampY = (v: number) => Math.min(Math.max(v, plot.top), plot.bottom);
  const placed = thresholds.flatMap((threshold) => {
    const isLevel = threshold.orientation === 'HORIZONTAL';
    const [scale, clamp, low, high] = isLevel
      ? ([y, clampY, plot.top, plot.bottom] as const)
      : ([x, clampX, plot.left, plot.right] as const);
    const ends = [pixelOf(scale, threshold.from), pixelOf(scale, threshold.to)].sort((a, b) => a - b);
    const [first = 0, last = 0] = ends;
    if (ends.some((end) => !Number.isFinite(end)) || last < low - 0.5 || first > high + 0.5) return [];
    const color = threshold.color === 'AUTOMATIC' ? COLORS.threshold : threshold.color;
    return { threshold, isLevel, first: clamp(first), last: clamp(last), color };
  });
  const boxes = placed.map(({ isLevel, first, last, color }) =>
    isLevel
      ? { x: plot.left, x2: plot.right, y: first, y2: last, color }
      : { x: first, x2: last, y: plot.top, y2: plot.bottom, color },
  );
  const isBand = (index: number): boolean => placed[index]?.threshold.from !== placed[index]?.threshold.to;
  const taken: { x: number; y: number; width: number }[] = [];
  const names = placed
    .flatMap(({ threshold, isLevel, first, color }) => {
      if (!threshold.showLabel) return [];
      const label = fitText(threshold.name, (isLevel ? plot.right - plot.left : plot.bottom - plot.top) * 0.5, size);
      return isLevel
        ? { x: plot.right - labelSize * 0.4, y: nameY(first, plot, size), label, color, angle: 0, align: 'right' }
        : { x: nameX(first, plot, size), y: plot.top + labelSize * 0.4, label, color, angle: 90, align: 'left' };
    })
    .filter(({ x: at, y: top }) => {
      // Names on top of each other could not be read: the first one stays.
      const isFree = taken.every((other) => Math.abs(other.x - at) > size || Math.abs(other.y - top) > size);
      if (isFree) taken.push({ x: at, y: top, width: size });
      return isFree;
    });
  const box = { x: { field: 'x' }, x2: { field: 'x2' }, y: { field: 'y' }, y2: { field: 'y2' } } as const;
  const text = {
    x: { field: 'x' },
    y: { field: 'y' },
    text: { field: 'label' },
    align: { field: 'align' },
    angle: { field: 'angle' },
    font: literal(FONT),
    fontSize: literal(size),
  } as const;
  return {
    data: [
      dataSet(
        'threshold-bands',
        boxes.filter((_, index) => isBand(index)),
      ),
      {
        ...dataSet('threshold-lines', []),
        // Arrays of dashes are values of their own.
        values: boxes.flatMap((row, index) => {
          const dash = strokeDash(placed[index]?.threshold.lineStyle ?? 'SOLID', 1.5);
          return isBand(index) ? [] : { ...row, dash: dash as never };
        }),
      },
      dataSet('threshold-names', names),
      dataSet(
        'threshold-grounds',
        names.map(({ x: at, y: top, label, angle }) => {
          const length = textWidth(label, size);
          return angle === 0
            ? { x: at - length, x2: at, y: top - size * 0.85, y2: top + size * 0.2 }
            : { x: at - size * 0.2, x2: at + size * 0.85, y: top, y2: top + length };
        }),
      ),
    ],
    marks: [
      {
        type: 'rect',
        name: 'threshold-bands',
        from: rowsOf('threshold-bands'),
        encode: { enter: { ...box, fill: { field: 'color' }, fillOpacity: literal(BAND_OPACITY) } },
      },
      {
        type: 'rule',
        name: 'threshold-lines',
        from: rowsOf('threshold-lines'),
        encode: {
          enter: { ...box, stroke: { field: 'color' }, strokeWidth: literal(1.5), strokeDash: { field: 'dash' } },
        },
      },
      {
        type: 'rect',
        name: 'threshold-grounds',
        from: rowsOf('threshold-grounds'),
        encode: { enter: { ...box, fill: literal(COLORS.background), fillOpacity: literal(GROUND_OPACITY) } },
      },
      {
        type: 'text',
        name: 'threshold-names',
        from: rowsOf('threshold-names'),
        encode: { enter: { ...text, fill: { field: 'color' } } },
      },
    ],
  };
}

/** Above the line; below it where there is no room. */
const nameY = (line: number, { top }: Layout['plot'], size: number): number =>
  line - size * 1.3 > top ? line - size * 0.35 : line + size * 1.05;

/** Lies right of the line; left of it where there is no room. */
const nameX = (line: number, { right }: Layout['plot'], size: number): number =>
  line + size * 1.3 < right ? line + size * 0.35 : line - size * 1.05;
