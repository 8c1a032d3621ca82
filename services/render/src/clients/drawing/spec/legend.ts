import { fitBothEnds, textWidth } from '../fonts/text-width.ts';
import { dataSet, literal, rowsOf } from './data-set.ts';
import type { SeriesMarks } from './line-marks.ts';
import { COLORS, FONT } from './palette.ts';
import type { LineSign } from './series-style.ts';

/** A LINE has its sign; WARNING: what it stands for is missing. */
export type LegendEntry = { readonly name: string; readonly color: string } & (
  | ({ readonly kind: 'LINE' } & LineSign)
  | { readonly kind: 'AREA' | 'WARNING' }
);

export type PlacedEntry = LegendEntry & { readonly x: number; readonly y: number };

/** All in font sizes. */
const SIGN = 1.4;
const SIGN_ROOM = 1.8;
const DISTANCE = 1.6;
const LEGEND_ROW = 1.7;

/** Names are shortened to this many font sizes, the first by which all entries have room. */
const CUTS = [Number.POSITIVE_INFINITY, 24, 16, 11, 7, 4];

/**
 * Puts entries side by side in centred rows. Long names are shortened to fit; entries that still do not fit are
 * counted.
 * @param room pixels
 */
export function legendRows(
  entries: readonly LegendEntry[],
  { left, room, maxRows, labelSize }: { left: number; room: number; maxRows: number; labelSize: number },
): { readonly height: number; readonly place: (top: number) => PlacedEntry[] } {
  let rows: LegendEntry[][] = [];
  for (const cut of CUTS) {
    rows = wrapped(entries, Math.min(cut * labelSize, room - widthOf('', labelSize)), room, labelSize);
    if (rows.length <= maxRows) break;
  }
  if (rows.length > maxRows) {
    const last = rows.slice(0, maxRows).at(-1) as LegendEntry[];
    const left = rows.slice(maxRows).flat().length + 1;
    last.splice(-1, 1, { name: `+${left}`, color: COLORS.background, kind: 'AREA' });
    rows = rows.slice(0, maxRows);
  }
  const place = (top: number): PlacedEntry[] =>
    rows.flatMap((row, index) => {
      const width = row.reduce((sum, { name }) => sum + widthOf(name, labelSize), -DISTANCE * labelSize);
      let x = left + (room - width) / 2;
      return row.map((entry) => {
        const placed = { ...entry, x, y: top + labelSize * (0.9 + index * LEGEND_ROW) };
        x += widthOf(entry.name, labelSize);
        return placed;
      });
    });
  return { height: rows.length * labelSize * LEGEND_ROW + labelSize * 0.3, place };
}

const widthOf = (name: string, labelSize: number): number =>
  textWidth(name, labelSize) + (SIGN_ROOM + DISTANCE) * labelSize;

function wrapped(entries: readonly LegendEntry[], maxName: number, room: number, labelSize: number): LegendEntry[][] {
  const rows: LegendEntry[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const name = fitBothEnds(entry.name, Math.max(maxName, 0), labelSize);
    const width = widthOf(name, labelSize);
    if (used + width - DISTANCE * labelSize > room) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push({ ...entry, name });
    used += width;
  }
  return rows;
}

/**
 * Signs and names: a line with its dashes and marker, a filled square, or a warning sign.
 * @param name of the legend: marks of several differ
 */
export function legendMarks(entries: readonly PlacedEntry[], labelSize: number, name = 'legend'): SeriesMarks {
  const middle = (entry: PlacedEntry) => entry.x + (SIGN * labelSize) / 2;
  const of = (kind: LegendEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  const signed = entries.filter((entry) => entry.kind === 'LINE');
  const lines = signed.filter(({ width }) => width > 0);
  const markers = signed.flatMap((entry) =>
    entry.marker === undefined ? [] : [{ x: middle(entry), y: entry.y, color: entry.color, shape: entry.marker }],
  );
  const at = { x: { field: 'x' }, y: { field: 'y' } } as const;
  const text = { font: literal(FONT), fontSize: literal(labelSize) };
  return {
    data: [
      {
        ...dataSet(`${name}-lines`, []),
        // Arrays of dashes are values of their own.
        values: lines.map(({ x, y, color, dash, width }) => ({ x, y, color, dash: dash as never, width })),
      },
      dataSet(`${name}-markers`, markers),
      dataSet(
        `${name}-areas`,
        of('AREA').map((entry) => ({ x: middle(entry), y: entry.y, color: entry.color })),
      ),
      dataSet(
        `${name}-warnings`,
        of('WARNING').map((entry) => ({ x: middle(entry), y: entry.y })),
      ),
      dataSet(
        `${name}-names`,
        entries.map(({ x, y, name: label }) => ({ x: x + SIGN_ROOM * labelSize, y: y + labelSize * 0.36, label })),
      ),
    ],
    marks: [
      {
        type: 'rule',
        name: `${name}-lines`,
        from: rowsOf(`${name}-lines`),
        encode: {
          enter: {
            ...at,
            x2: { field: 'x', offset: labelSize * SIGN },
            stroke: { field: 'color' },
            strokeWidth: { field: 'width' },
            strokeDash: { field: 'dash' },
          },
        },
      },
      {
        type: 'symbol',
        name: `${name}-markers`,
        from: rowsOf(`${name}-markers`),
        encode: {
          enter: { ...at, shape: { field: 'shape' }, size: literal((labelSize * 0.6) ** 2), fill: { field: 'color' } },
        },
      },
      {
        type: 'symbol',
        name: `${name}-areas`,
        from: rowsOf(`${name}-areas`),
        encode: {
          enter: { ...at, shape: literal('square'), size: literal((labelSize * 0.9) ** 2), fill: { field: 'color' } },
        },
      },
      {
        type: 'symbol',
        name: `${name}-warnings`,
        from: rowsOf(`${name}-warnings`),
        encode: {
          enter: {
            ...at,
            shape: literal('triangle-up'),
            size: literal((labelSize * 1.2) ** 2),
            fill: literal(COLORS.warning),
          },
        },
      },
      {
        type: 'text',
        name: `${name}-warning-signs`,
        from: rowsOf(`${name}-warnings`),
        encode: {
          enter: {
            x: at.x,
            y: { field: 'y', offset: labelSize * 0.42 },
            ...text,
            fontSize: literal(labelSize * 0.85),
            fontWeight: literal('bold'),
            align: literal('center'),
            fill: literal(COLORS.background),
            text: literal('!'),
          },
        },
      },
      {
        type: 'text',
        name: `${name}-names`,
        from: rowsOf(`${name}-names`),
        encode: { enter: { ...at, ...text, fill: literal(COLORS.text), text: { field: 'label' } } },
      },
    ],
  };
}
