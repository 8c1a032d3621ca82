import type { Frame, Scale } from '../../../domain/chart.ts';
import { fitText, textWidth } from '../fonts/text-width.ts';
import { type LegendEntry, legendRows, type PlacedEntry } from './legend.ts';
import { COLORS } from './palette.ts';
import type { ValueAxis } from './value-axis.ts';

export type Plot = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

type TextLine = { readonly text: string; readonly y: number; readonly size: number };

/** An axis beside the plot. */
export type AxisRequest = {
  readonly side: 'LEFT' | 'RIGHT';
  /** Empty = none. */
  readonly title: string;
  readonly color: string;
  readonly inverted: boolean;
  /** Makes the axis once the number of ticks that fit is known. */
  readonly make: (maxTicks: number) => ValueAxis;
};

export type PlacedAxis = {
  readonly axis: ValueAxis;
  readonly scale: Scale;
  readonly side: 'LEFT' | 'RIGHT';
  /** The ticks stand at the line of this pixel. */
  readonly line: number;
  /** The widest label has this width. */
  readonly labelWidth: number;
  readonly color: string;
  readonly title?: { readonly text: string; readonly x: number };
  /** There is no room for its labels. */
  readonly isHidden: boolean;
};

/** Everything lies here, in pixels from the top left corner. */
export type Layout = {
  readonly plot: Plot;
  /** Font size of labels; everything else is in proportion to it. */
  readonly labelSize: number;
  readonly title?: TextLine;
  readonly subtitle?: TextLine;
  readonly footer?: TextLine;
  readonly legend: readonly PlacedEntry[];
  readonly axes: readonly PlacedAxis[];
  /** Titles of axes have room. */
  readonly isRoomy: boolean;
};

/** The plot keeps this share of the picture, each way. */
const MIN_PLOT = 0.3;

/** Font sizes grow slowly with the picture; at 1200 x 800 labels have 13 px. */
const labelSizeOf = ({ width, height }: Frame): number =>
  Math.round(13 * Math.min(1.8, Math.max(0.77, Math.sqrt((width * height) / (1200 * 800)) ** 0.6)) * 2) / 2;

/**
 * Divides the picture: title rows, legend rows, plot with axes at its sides, axis rows, footer. Small pictures lose the titles of
 * axes first, then the axes farthest outside.
 * @param request.horizontal where the axis of the other direction lies, and how many font sizes its rows take
 */
export function layoutOf(
  picture: Frame,
  request: {
    readonly legend: readonly LegendEntry[];
    readonly axes: readonly AxisRequest[];
    readonly horizontal: { readonly side: 'TOP' | 'BOTTOM'; readonly rows: { roomy: number; small: number } };
  },
): Layout {
  const { width, height } = picture;
  const labelSize = labelSizeOf(picture);
  const isRoomy = width >= 260 && height >= 180;
  const { side, rows } = request.horizontal;
  const axisRows = labelSize * (isRoomy ? rows.roomy : rows.small);
  const footerRow = isRoomy ? labelSize * 1.6 : 0;
  const lowest = height - labelSize * 0.6 - footerRow;
  const bottom = side === 'BOTTOM' ? lowest - axisRows : lowest - labelSize * 0.3;
  const above = side === 'TOP' ? axisRows : 0;
  const { top, ...lines } = rowsAbove(picture, request.legend, labelSize, bottom - above - height * MIN_PLOT);
  const vertical = { top: Math.round(top + above), bottom: Math.round(bottom) };
  const { left, right, axes } = axesBeside(picture, request.axes, labelSize, vertical, isRoomy);
  return {
    plot: { left, right, ...vertical },
    labelSize,
    ...lines,
    axes,
    isRoomy,
    ...(isRoomy && {
      footer: {
        text: fitText(picture.footer, right - left, labelSize * 0.9),
        y: height - labelSize * 0.7,
        size: labelSize * 0.9,
      },
    }),
  };
}

type Above = { readonly top: number } & Pick<Layout, 'title' | 'subtitle' | 'legend'>;

/** Returns the rows over the plot; where they would leave it less than its share, first subtitle, then legend, then title go. */
function rowsAbove(picture: Frame, entries: readonly LegendEntry[], labelSize: number, lowestTop: number): Above {
  const room = picture.width - 2 * labelSize;
  const maxRows = Math.max(1, Math.floor((picture.height * 0.2) / (labelSize * 2)));
  const rows = legendRows(entries, { left: labelSize, room, maxRows, labelSize });
  let above: Above = { top: labelSize, legend: [] };
  for (const dropped of [0, 1, 2, 3]) {
    let top = labelSize;
    const line = (text: string | undefined, size: number, weight: 'normal' | 'bold', leading: number) => {
      const clean = text === undefined ? '' : fitText(text, room, size, weight);
      if (clean === '') return undefined;
      const y = top + size;
      top += size * leading;
      return { text: clean, y, size };
    };
    const title = dropped < 3 ? line(picture.title, labelSize * 1.45, 'bold', 1.4) : undefined;
    const subtitle = dropped < 1 ? line(picture.subtitle, labelSize * 1.1, 'normal', 1.45) : undefined;
    const hasLegend = entries.length > 0 && dropped < 2;
    const legend = hasLegend ? rows.place(top) : [];
    if (hasLegend) top += rows.height;
    if (title || subtitle) top += labelSize * 0.3;
    above = { top, legend, ...(title && { title }), ...(subtitle && { subtitle }) };
    if (top <= lowestTop) return above;
  }
  return above;
}

/** Labels lie this far outwards from the line of an axis, in font sizes, and its title beyond them. */
const LABEL_GAP = 0.7;
const TITLE_GAP = 0.8;
const TITLE_ROOM = 1.6;
/**
 * Most axes give their labels the same room, and others some more in steps: so the width of the plot is known before the records are, and a
 * label that grows by a digit moves no line.
 */
const LEAST_ROOM = '0,000';
const ROOM_STEP = '00';

/** @param widest of the labels, in pixels */
function roomOf(widest: number, labelSize: number): number {
  const least = textWidth(LEAST_ROOM, labelSize);
  const step = textWidth(ROOM_STEP, labelSize);
  return least + Math.max(0, Math.ceil((widest - least) / step)) * step;
}

function axesBeside(
  { width }: Frame,
  requests: readonly AxisRequest[],
  labelSize: number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  isRoomy: boolean,
): { left: number; right: number; axes: PlacedAxis[] } {
  const plotHeight = Math.max(bottom - top, 20);
  const maxTicks = Math.max(2, Math.min(10, Math.floor(plotHeight / (labelSize * 3.6))));
  const made = requests.map((request) => {
    const axis = request.make(maxTicks);
    const widest = Math.max(...axis.ticks.map(({ label }) => textWidth(label, labelSize)), 0);
    const most = width * 0.3;
    const labelRoom = Math.min(roomOf(widest, labelSize), most);
    return { request, axis, labelWidth: Math.min(widest, most), labelRoom };
  });
  const isEmpty = ({ request, axis }: (typeof made)[number]): boolean =>
    axis.ticks.length === 0 && request.title === '';
  const widthOf = (axis: (typeof made)[number], hasTitles: boolean): number =>
    isEmpty(axis) ? 0 : fullWidth(axis, hasTitles);
  const fullWidth = ({ request, labelRoom }: (typeof made)[number], hasTitles: boolean): number =>
    labelRoom + labelSize * (LABEL_GAP + (hasTitles && request.title !== '' ? TITLE_ROOM : 0) + 0.7);
  const total = (of: typeof made, hasTitles: boolean) => of.reduce((sum, axis) => sum + widthOf(axis, hasTitles), 0);
  const room = width * (1 - MIN_PLOT) - labelSize * 2.6;
  // One axis always fits.
  let shown = made;
  const hasTitles = isRoomy && (made.length < 2 || total(made, true) <= room);
  while (shown.length > 1 && total(shown, hasTitles) > room) shown = shown.slice(0, -1);

  const taken = (side: 'LEFT' | 'RIGHT') =>
    total(
      shown.filter(({ request }) => request.side === side),
      hasTitles,
    );
  const left = Math.round(Math.max(taken('LEFT'), labelSize * 1.9));
  const right = Math.round(width - Math.max(taken('RIGHT') + labelSize * 0.3, labelSize * 1.9));
  const next = { LEFT: left, RIGHT: right };
  const axes = made.map((measured): PlacedAxis => {
    const { request, axis, labelWidth } = measured;
    const { side, inverted, color } = request;
    const isHidden = !shown.includes(measured) || isEmpty(measured);
    const line = next[side];
    const outwards = side === 'LEFT' ? -1 : 1;
    if (!isHidden) next[side] += outwards * widthOf(measured, hasTitles);
    const text = hasTitles && !isHidden ? fitText(request.title, plotHeight, labelSize) : '';
    return {
      axis,
      scale: {
        ...(axis.type && { type: axis.type }),
        domain: axis.domain,
        range: inverted ? [top, bottom] : [bottom, top],
      },
      side,
      line,
      labelWidth,
      color: made.length > 1 ? color : COLORS.text,
      ...(text !== '' && {
        title: { text, x: line + outwards * (labelWidth + labelSize * (LABEL_GAP + TITLE_GAP)) },
      }),
      isHidden,
    };
  });
  return { left, right, axes };
}
