import type { ChartSeries, ChartState } from '../../../domain/chart.ts';
import type { ChartSettings } from '../../../domain/chart-settings.ts';
import { pixelOf } from '../../../domain/scale.ts';
import { fitText, textWidth } from '../fonts/text-width.ts';
import { dataSet, literal, rowsOf } from './data-set.ts';
import type { Layout } from './layout.ts';
import type { Paper, SeriesMarks } from './line-marks.ts';
import { COLORS, FONT } from './palette.ts';

const SHOWN: Readonly<Record<ChartSettings['stateThresholds'], (state: ChartState) => boolean>> = {
  ALL: () => true,
  NONE: () => false,
  ALARM: (state) => state.isAlarm,
  NONALARM: (state) => !state.isAlarm,
  USER_NOTIFICATION: (state) => state.notifies,
};

const DASH = [6, 4];
/** The ground lies behind names. */
export const GROUND_OPACITY = 0.75;

/**
 * Dashed lines with state names at the thresholds inside the value range; red for alarm states
 * (docs/reference/charts.md#drawing-of-series).
 * @param taken heights of the names that stand already, of all series
 */
export function thresholdMarks(
  series: ChartSeries,
  index: number,
  layout: Layout,
  { scale }: Pick<Paper, 'scale'>,
  taken: number[],
): SeriesMarks {
  const [low, high] = scale.domain;
  const { plot, labelSize } = layout;
  const isShown = SHOWN[series.settings.stateThresholds];
  const size = labelSize * 0.92;
  const right = plot.right - labelSize * 0.4;
  const yOf = (v: number): number => pixelOf(scale, v);
  const rows = series.states
    .flatMap((state) => (state.threshold === undefined ? [] : [{ ...state, v: state.threshold }]))
    .filter((state) => state.v >= low && state.v <= high && isShown(state))
    .map(({ name, v, isAlarm }) => {
      // Above its line, below it where there is no room, nowhere where names would overlap.
      const y = [yOf(v) - size * 0.35, yOf(v) + size * 1.05].find(
        (place) =>
          place - size > plot.top && place < plot.bottom && taken.every((other) => Math.abs(other - place) > size),
      );
      if (y !== undefined) taken.push(y);
      const label = y === undefined ? '' : fitText(name, (plot.right - plot.left) * 0.5, size);
      const left = right - textWidth(label, size);
      return { at: yOf(v), y: y ?? 0, left, label, color: isAlarm ? COLORS.alarm : COLORS.threshold };
    });
  if (rows.length === 0) return { data: [], marks: [] };

  const name = `series-${index}-thresholds`;
  const text = {
    x: literal(right),
    y: { field: 'y' },
    align: literal('right'),
    font: literal(FONT),
    fontSize: literal(size),
    text: { field: 'label' },
  } as const;
  return {
    data: [dataSet(name, rows)],
    marks: [
      {
        type: 'rule',
        name,
        from: rowsOf(name),
        encode: {
          enter: {
            x: literal(plot.left),
            x2: literal(plot.right),
            y: { field: 'at' },
            stroke: { field: 'color' },
            strokeWidth: literal(1.25),
            strokeDash: literal(DASH),
          },
        },
      },
      // A pale ground keeps the names readable where the line of the data crosses them.
      {
        type: 'rect',
        from: rowsOf(name),
        encode: {
          enter: {
            x: { field: 'left' },
            x2: literal(right),
            y: { field: 'y', offset: -size * 0.85 },
            y2: { field: 'y', offset: size * 0.2 },
            fill: literal(COLORS.background),
            fillOpacity: literal(GROUND_OPACITY),
          },
        },
      },
      {
        type: 'text',
        name: `${name}-names`,
        from: rowsOf(name),
        encode: { enter: { ...text, fill: { field: 'color' } } },
      },
    ],
  };
}
