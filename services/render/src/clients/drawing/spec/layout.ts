import type { Chart } from '../../../domain/chart.ts';
import { type TimeAxis, timeAxis } from '../../../domain/time-axis.ts';
import { FONT_STACK, fitText, textWidth } from '../fonts/text-width.ts';
import type { ValueAxis } from './value-axis.ts';

export const FONT = FONT_STACK;

export type Plot = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

export type TextLine = { readonly text: string; readonly y: number; readonly size: number };

/** Where everything lies, in pixels from the top left corner. */
export type Layout = {
  readonly plot: Plot;
  /** Font size of labels; everything else is in proportion to it. */
  readonly labelSize: number;
  readonly title?: TextLine;
  readonly subtitle?: TextLine;
  /** Centre line of the legend row, when there is one. */
  readonly legendY?: number;
  readonly valueAxis: ValueAxis;
  readonly valueTitle?: string;
  readonly timeAxis: TimeAxis;
  /** Unix ms at the left and right edge of the plot; apart even where the range is one instant. */
  readonly timeDomain: readonly [number, number];
  readonly timeTitle?: TextLine;
};

/** Share of the height that the plot keeps. */
const MIN_PLOT = 0.3;

/** Font sizes grow slowly with the picture; at 1200 x 800 labels have 13 px. */
const labelSizeOf = (width: number, height: number): number =>
  Math.round(13 * Math.min(1.8, Math.max(0.77, Math.sqrt((width * height) / (1200 * 800)) ** 0.6)) * 2) / 2;

/**
 * Divides the picture: title rows, legend row, plot, axis rows. Small pictures lose the axis titles first.
 * @param valueAxisOf makes the value axis once the number of ticks that fit is known
 */
export function layoutOf(chart: Chart, valueTitle: string, valueAxisOf: (maxTicks: number) => ValueAxis): Layout {
  const { width, height } = chart;
  const labelSize = labelSizeOf(width, height);
  const pad = labelSize;
  const roomy = width >= 260 && height >= 180;

  const bottom = height - pad * 0.6 - labelSize * (roomy ? 4.6 : 3);
  const { top, ...rows } = rowsAbove(chart, labelSize, bottom - height * MIN_PLOT);
  const plotHeight = Math.max(bottom - top, 20);
  const axis = valueAxisOf(Math.max(2, Math.min(10, Math.floor(plotHeight / (labelSize * 3.6)))));
  const maxLabelWidth = Math.min(
    Math.max(...axis.ticks.map(({ label }) => textWidth(label, labelSize)), 0),
    width * 0.3,
  );
  const shownTitle = roomy && valueTitle !== '' ? fitText(valueTitle, plotHeight, labelSize) : '';
  const left = pad * 0.7 + (shownTitle === '' ? 0 : labelSize * 1.6) + maxLabelWidth + labelSize * 0.7;
  const right = width - pad * 1.9;

  const widestTick = textWidth('00 May', labelSize) * 1.9;
  const timeDomain = widened(chart.startMs, chart.endMs);
  const time = timeAxis(...timeDomain, chart.zone, Math.max(2, Math.floor((right - left) / widestTick)));
  return {
    plot: { left: Math.round(left), top: Math.round(top), right: Math.round(right), bottom: Math.round(bottom) },
    labelSize,
    ...rows,
    valueAxis: axis,
    ...(shownTitle !== '' && { valueTitle: shownTitle }),
    timeAxis: time,
    timeDomain,
    ...(roomy && {
      timeTitle: {
        text: fitText(chart.footer, right - left, labelSize * 0.9),
        y: height - pad * 0.7,
        size: labelSize * 0.9,
      },
    }),
  };
}

type Above = { readonly top: number } & Pick<Layout, 'title' | 'subtitle' | 'legendY'>;

/** The rows over the plot; where they would leave it less than its share, first subtitle, then legend, then title go. */
function rowsAbove(chart: Chart, labelSize: number, lowestTop: number): Above {
  const room = chart.width - 2 * labelSize;
  let above: Above = { top: labelSize };
  for (const dropped of [0, 1, 2, 3]) {
    let top = labelSize;
    const line = (text: string | undefined, size: number, weight: 'normal' | 'bold', leading: number) => {
      const clean = text === undefined ? '' : fitText(text, room, size, weight);
      if (clean === '') return undefined;
      const y = top + size;
      top += size * leading;
      return { text: clean, y, size };
    };
    const title = dropped < 3 ? line(chart.title, labelSize * 1.45, 'bold', 1.4) : undefined;
    const subtitle = dropped < 1 ? line(chart.subtitle, labelSize * 1.1, 'normal', 1.45) : undefined;
    const hasLegend = chart.series.length > 1 && dropped < 2;
    const legendY = top + labelSize * 0.9;
    if (hasLegend) top += labelSize * 2;
    if (title || subtitle) top += labelSize * 0.3;
    above = { top, ...(title && { title }), ...(subtitle && { subtitle }), ...(hasLegend && { legendY }) };
    if (top <= lowestTop) return above;
  }
  return above;
}

/** One instant is shown in the middle of a minute. */
const widened = (startMs: number, endMs: number): [number, number] =>
  endMs > startMs ? [startMs, endMs] : [startMs - 30_000, endMs + 30_000];
