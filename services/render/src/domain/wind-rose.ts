import type { Rose } from './chart.ts';
import { attributesOf, type Given } from './chart-node.ts';
import type { Records } from './chart-series.ts';
import { type ChartAggregation, readChartAggregation } from './chart-settings.ts';
import { ramp } from './ramp.ts';

/** A wind rose has these attributes (docs/reference/charts.md#wind-rose-node). */
type WindRose = {
  readonly legendTitle: string;
  /** Ascending. */
  readonly thresholds: readonly number[];
  readonly ranges: Rose['ranges'];
  /** Below it there is no direction, nor is there at a speed of 0. */
  readonly calmThreshold: number;
  readonly speedNodeId: string;
  readonly directionNodeId: string;
  readonly aggregation: ChartAggregation;
};

const SECTORS = 16;
const SECTOR_DEGREES = 360 / SECTORS;

const DEFAULT_THRESHOLDS = [0.5, 2, 4, 6, 8, 10];

export function readWindRose(given: Given): WindRose {
  const read = attributesOf(given);
  const ranges = read.numbers('speedRanges').toSorted((a, b) => a - b);
  const thresholds = ranges.length > 0 ? ranges : DEFAULT_THRESHOLDS;
  const colors = read.choice('rangeColors', ['AUTOMATIC', 'FIXED']) === 'FIXED' ? read.texts('colors') : [];
  const title = read.text('legendTitle', 'Wind speed');
  const units = read.text('speedUnits');
  return {
    legendTitle: [title, units && `[${units}]`].filter(Boolean).join(' '),
    thresholds,
    ranges: rangeNames(thresholds).map((name, index, all) => ({ name, color: colorOf(colors, index, all.length) })),
    calmThreshold: read.number('calmThreshold', 0),
    speedNodeId: read.text('speedNodeId'),
    directionNodeId: read.text('directionNodeId'),
    aggregation: readChartAggregation(given),
  };
}

function colorOf(colors: readonly string[], index: number, count: number): string {
  const color = colors[index % Math.max(colors.length, 1)];
  return color === undefined || color === 'AUTOMATIC' ? (ramp(count)[index] ?? '') : color;
}

/** Names the ranges `< 0.5`, `0.5 - 2`, …, `> 10`. */
function rangeNames(thresholds: readonly number[]): string[] {
  const between = thresholds.slice(1).map((to, index) => `${thresholds[index]} - ${to}`);
  return [`< ${thresholds[0]}`, ...between, `> ${thresholds.at(-1)}`];
}

/**
 * Returns the percent of all rows by sector and range, and that of calms, which have no direction. A row is an instant at which both have a
 * value; the records must be good already.
 * @param thresholds ascending; range i begins with its threshold
 */
export function roseOf(
  speed: Records,
  direction: Records,
  thresholds: readonly number[],
  calmThreshold = 0,
): Pick<Rose, 'sectors' | 'rows' | 'calms'> {
  const counts = Array.from({ length: SECTORS }, () => new Array<number>(thresholds.length + 1).fill(0));
  let rows = 0;
  let calms = 0;
  let other = 0;
  speed.timestamps.forEach((t, index) => {
    while (other < direction.timestamps.length && (direction.timestamps[other] as number) < t) other++;
    if (direction.timestamps[other] !== t) return;
    const value = speed.values[index] as number;
    const degrees = direction.values[other] as number;
    if (!Number.isFinite(value) || !Number.isFinite(degrees)) return;
    rows++;
    if (value === 0 || value < calmThreshold) {
      calms++;
      return;
    }
    const sector = counts[sectorOf(degrees)] as number[];
    const range = thresholds.filter((threshold) => threshold <= value).length;
    sector[range] = (sector[range] as number) + 1;
  });
  const percent = (count: number) => (rows === 0 ? 0 : (count * 100) / rows);
  return { rows, calms: percent(calms), sectors: counts.map((sector) => sector.map(percent)) };
}

/** The sector around north is the first; a direction of any number of turns. */
export function sectorOf(degrees: number): number {
  const within = ((degrees % 360) + 360) % 360;
  return Math.floor((within + SECTOR_DEGREES / 2) / SECTOR_DEGREES) % SECTORS;
}
