import type { Mark } from 'vega';
import type { Rose, RoseScales } from '../../../domain/chart.ts';
import { fitText, textWidth } from '../fonts/text-width.ts';
import { dataSet, literal, rowsOf } from './data-set.ts';
import { frameMarks, textMark } from './frame-marks.ts';
import { layoutOf } from './layout.ts';
import { type LegendEntry, legendMarks } from './legend.ts';
import { COLORS } from './palette.ts';
import { type BuiltPicture, specOf } from './picture-spec.ts';

const COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');
/** A petal fills this share of a sector. */
const PETAL = 0.9;
/** Rings stand this many percent apart; farther where petals are longer than `LONG` percent. */
const RING = 1;
const FAR_RING = 5;
const LONG = 20;
/** Every this many rings have a label. */
const LABEL_STEPS = [1, 2, 5, 10];

const radians = (sectors: number): number => (sectors / COMPASS.length) * 2 * Math.PI;

/** Draws a wind rose (docs/reference/charts.md#wind-rose-node): petals of 16 sectors, stacked by ranges of speed, its legend beside it. */
export function buildRose(rose: Rose): BuiltPicture<RoseScales> {
  const beside = rose.width >= 1.15 * rose.height && rose.width >= 300;
  const warnings = rose.missing.map((name): LegendEntry => ({ name, color: COLORS.text, kind: 'WARNING' }));
  const calms: LegendEntry = { name: `Calms ${percentText(rose.calms)}`, color: COLORS.calms, kind: 'AREA' };
  const entries = [
    ...(rose.calms > 0 ? [calms] : []),
    ...rose.ranges.map(({ name, color }): LegendEntry => ({ name, color, kind: 'AREA' })),
  ];
  const titled = entries.map((entry, index) =>
    index === 0 && rose.legendTitle !== '' ? { ...entry, name: `${rose.legendTitle}: ${entry.name}` } : entry,
  );
  const layout = layoutOf(rose, {
    legend: beside ? warnings : [...titled, ...warnings],
    axes: [],
    horizontal: { side: 'BOTTOM', rows: { roomy: 0.6, small: 0 } },
  });
  const { plot, labelSize } = layout;
  const column = beside ? legendColumn(rose, entries, layout) : { width: 0, entries: [], titles: [] };
  const room = { width: plot.right - plot.left - column.width, height: plot.bottom - plot.top };
  const center = { x: plot.left + room.width / 2, y: plot.top + room.height / 2 };
  const hasNames = Math.min(room.width, room.height) >= labelSize * 9;
  const radius = Math.max(10, Math.min(room.width, room.height) / 2 - (hasNames ? labelSize * 2 : 2));

  const longest = Math.max(...rose.sectors.map((sector) => sector.reduce((sum, percent) => sum + percent, 0)), 0);
  const distance = longest > LONG ? FAR_RING : RING;
  const rings = Math.max(1, Math.ceil(longest / distance - 1e-9));
  const pixelsPerPercent = radius / (rings * distance);
  const circles = Array.from({ length: rings }, (_, n) => (n + 1) * distance);

  const isSparse = rose.sectors.length === 0 || rose.rows === 0;
  const parts = [
    {
      data: [
        dataSet(
          'rings',
          circles.map((percent) => ({ r: percent * pixelsPerPercent })),
        ),
        dataSet('ring-labels', ringLabels(circles, rose, center, pixelsPerPercent, labelSize)),
        dataSet(
          'spokes',
          COMPASS.map((_, n) => ({
            x2: center.x + radius * Math.sin(radians(n)),
            y2: center.y - radius * Math.cos(radians(n)),
          })),
        ),
        dataSet('compass', hasNames ? compassRows(center, radius, labelSize) : []),
        ...rose.ranges.map((_, range) => dataSet(`range-${range}`, petalRows(rose, range, pixelsPerPercent))),
        dataSet('legend-titles', column.titles),
        dataSet('calms', rose.calms > 0 ? [{ r: calmRadius(rose, pixelsPerPercent, labelSize) }] : []),
      ],
    },
    frameMarks(rose, layout, false),
    legendMarks(column.entries, labelSize, 'ranges'),
    {
      data: [
        dataSet('nothing', isSparse ? [{ ...center, label: 'No data', align: 'center', color: COLORS.quietText }] : []),
      ],
    },
  ];
  const frame = parts[1] as ReturnType<typeof frameMarks>;
  const legend = parts[2] as ReturnType<typeof legendMarks>;
  const marks: Mark[] = [
    {
      type: 'arc',
      name: 'rings',
      from: rowsOf('rings'),
      encode: {
        enter: {
          x: literal(center.x),
          y: literal(center.y),
          startAngle: literal(0),
          endAngle: literal(2 * Math.PI),
          outerRadius: { field: 'r' },
          innerRadius: { field: 'r' },
          stroke: literal(COLORS.grid),
        },
      },
    },
    {
      type: 'rule',
      name: 'spokes',
      from: rowsOf('spokes'),
      encode: {
        enter: {
          x: literal(center.x),
          y: literal(center.y),
          x2: { field: 'x2' },
          y2: { field: 'y2' },
          stroke: literal(COLORS.grid),
        },
      },
    },
    ...rose.ranges.map(
      ({ color }, range): Mark => ({
        type: 'arc',
        name: `range-${range}`,
        from: rowsOf(`range-${range}`),
        encode: {
          enter: {
            x: literal(center.x),
            y: literal(center.y),
            startAngle: { field: 'from' },
            endAngle: { field: 'to' },
            innerRadius: { field: 'inner' },
            outerRadius: { field: 'outer' },
            fill: literal(color),
            stroke: literal(COLORS.background),
            strokeWidth: literal(0.75),
          },
        },
      }),
    ),
    {
      type: 'arc',
      name: 'calms',
      from: rowsOf('calms'),
      encode: {
        enter: {
          x: literal(center.x),
          y: literal(center.y),
          startAngle: literal(0),
          endAngle: literal(2 * Math.PI),
          outerRadius: { field: 'r' },
          fill: literal(COLORS.calms),
          stroke: literal(COLORS.background),
          strokeWidth: literal(1.5),
        },
      },
    },
    textMark('ring-labels', labelSize * 0.85),
    textMark('compass', labelSize),
    textMark('legend-titles', labelSize),
    textMark('nothing', labelSize * 1.2),
    ...frame.above,
    ...legend.marks,
  ];
  return {
    spec: specOf(rose, { parts, marks, scales: [] }),
    scales: {
      center,
      pixelsPerPercent,
      sectors: rose.sectors,
      calms: rose.calms,
      ranges: rose.ranges,
      rows: rose.rows,
    },
  };
}

const percentText = (percent: number): string => `${percent >= 9.95 ? Math.round(percent) : percent.toFixed(1)} %`;

/** Calms come from everywhere alike: their share is spread over all sectors, so far as that is to be seen and hides no petal. */
const calmRadius = ({ calms }: Rose, pixelsPerPercent: number, labelSize: number): number =>
  Math.min(Math.max((calms / COMPASS.length) * pixelsPerPercent, labelSize * 0.3), labelSize * 1.5);

/** Returns parts of petals of one range: they begin where those of calmer ranges end. */
function petalRows({ sectors }: Rose, range: number, pixelsPerPercent: number) {
  return sectors.flatMap((sector, n) => {
    const percent = sector[range] ?? 0;
    if (percent === 0) return [];
    const below = sector.slice(0, range).reduce((sum, count) => sum + count, 0);
    return {
      from: radians(n - PETAL / 2),
      to: radians(n + PETAL / 2),
      inner: below * pixelsPerPercent,
      outer: (below + percent) * pixelsPerPercent,
      sector: n,
    };
  });
}

/** Puts percentages at as many rings as have room, between the two neighbouring petals that are shortest. */
function ringLabels(
  circles: readonly number[],
  { sectors }: Rose,
  center: { x: number; y: number },
  perPercent: number,
  labelSize: number,
) {
  const lengths = COMPASS.map((_, n) => (sectors[n] ?? []).reduce((sum, percent) => sum + percent, 0));
  const between = COMPASS.map((_, n) => Math.max(lengths[n] ?? 0, lengths[(n + 1) % COMPASS.length] ?? 0));
  const angle = radians(between.indexOf(Math.min(...between)) + 0.5);
  const distance = (circles[0] ?? 1) * perPercent;
  const step = LABEL_STEPS.find((every) => every * distance >= labelSize * 1.5) ?? circles.length;
  return circles.flatMap((percent, index) => {
    const r = percent * perPercent;
    // Around the centre the petals meet.
    const isCrowded = r < labelSize * 3 && index < circles.length - 1;
    if ((index + 1) % step !== 0 || isCrowded) return [];
    return {
      x: center.x + r * Math.sin(angle),
      y: center.y - r * Math.cos(angle) + labelSize * 0.3,
      label: `${percent} %`,
      align: 'center',
      color: COLORS.quietText,
    };
  });
}

function compassRows(center: { x: number; y: number }, radius: number, labelSize: number) {
  // The room between two of the 16 names must suffice for a name; otherwise 8 or 4 of them say enough.
  const room = (2 * Math.PI * radius) / (labelSize * 4);
  const step = room >= 16 ? 1 : room >= 8 ? 2 : 4;
  return COMPASS.flatMap((label, n) => {
    if (n % step !== 0) return [];
    const r = radius + labelSize * 1.1;
    const sin = Math.sin(radians(n));
    return {
      x: center.x + r * sin,
      y: center.y - r * Math.cos(radians(n)) + labelSize * 0.36,
      label,
      align: Math.abs(sin) < 0.3 ? 'center' : sin > 0 ? 'left' : 'right',
      color: COLORS.text,
    };
  });
}

type Layout = ReturnType<typeof layoutOf>;

function legendColumn({ legendTitle }: Rose, entries: readonly LegendEntry[], { plot, labelSize }: Layout) {
  const most = (plot.right - plot.left) * 0.3;
  const title = fitText(legendTitle, most, labelSize);
  const rows = Math.max(1, Math.floor((plot.bottom - plot.top) / (labelSize * 1.7)) - 1);
  const shown = entries.slice(0, rows).map((entry) => ({ ...entry, name: fitText(entry.name, most, labelSize) }));
  const width =
    Math.max(textWidth(title, labelSize), ...shown.map(({ name }) => textWidth(name, labelSize) + labelSize * 1.8)) +
    labelSize * 2;
  const x = plot.right - width + labelSize;
  const height = (shown.length + 1) * labelSize * 1.7;
  const top = Math.max(plot.top, (plot.top + plot.bottom - height) / 2);
  return {
    width,
    entries: shown.map((entry, index) => ({ ...entry, x, y: top + (index + 1.5) * labelSize * 1.7 })),
    titles: [{ x, y: top + labelSize * 1.1, label: title, align: 'left', color: COLORS.text }],
  };
}
