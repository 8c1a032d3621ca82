import type { ChartSettings } from '../../../domain/chart-settings.ts';
import type { SeriesShape } from '../../../domain/series-shape.ts';
import { dataSet, literal, rowsOf } from './data-set.ts';
import type { Paper, SeriesMarks } from './line-marks.ts';
import { primaryColor, secondaryColor } from './palette.ts';
import { fillPaint } from './stroke-and-fill.ts';

/** Bars from zero, at least one pixel wide, one rectangle per record with a value. */
export function columnMarks(
  shape: Extract<SeriesShape, { kind: 'COLUMN' }>,
  settings: ChartSettings,
  index: number,
  paper: Paper,
): SeriesMarks {
  const name = `series-${index}`;
  const color = primaryColor(settings, index);
  const rows = shape.bars.map(({ from, to, v }) => ({ from, to: Math.max(to, from + paper.msPerPixel), v }));
  const hasFill = settings.fillStyle !== 'NONE';
  return {
    data: [dataSet(name, rows)],
    marks: [
      {
        type: 'rect',
        name,
        from: rowsOf(name),
        clip: paper.clip,
        encode: {
          enter: {
            x: { scale: 'x', field: 'from' },
            x2: { scale: 'x', field: 'to' },
            y: { scale: 'y', field: 'v' },
            y2: { scale: 'y', value: 0 },
            ...(hasFill && {
              fill: fillPaint(settings.fillStyle, color, secondaryColor(settings)),
              fillOpacity: literal(settings.fillOpacity / 100),
            }),
            ...(!hasFill && { stroke: literal(color), strokeWidth: literal(Math.max(settings.lineWidth, 1)) }),
          },
        },
      },
    ],
  };
}
