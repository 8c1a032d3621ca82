import { PALETTE_SIZE, paletteColor } from '@catchment/dashboard-view';
import type { ChartSettings } from '../../../domain/chart-settings.ts';
import { FONT_STACK } from '../fonts/text-width.ts';

export const FONT = FONT_STACK;

/** AUTOMATIC markers in series order, cyclic (docs/reference/charts.md#chart-endpoint), by their names in Vega. */
const MARKERS = ['circle', 'diamond', 'square', 'triangle-up', 'triangle-down'] as const;

export const COLORS = {
  background: '#ffffff',
  text: '#333333',
  quietText: '#6b7280',
  grid: '#e5e7eb',
  axis: '#9ca3af',
  threshold: '#808080',
  alarm: '#d62728',
  warning: '#e08a00',
  calms: '#9ca3af',
} as const;

/** Main colour of the series at `index`. */
export function primaryColor(settings: ChartSettings, index: number): string {
  return settings.primaryColor === 'AUTOMATIC' ? paletteColor(index) : settings.primaryColor;
}

/** Dashes of lines whose colours repeat, in the order of the repetitions. */
const ROUNDS = ['SOLID', 'DASH', 'DOT', 'DASHDOT', 'LONGDASH', 'LONGDASHDOT'] as const;

/** A line whose AUTOMATIC colour comes again has another dash, where none was chosen. */
export function distinguished(settings: ChartSettings, index: number): ChartSettings {
  if (settings.primaryColor !== 'AUTOMATIC' || settings.lineStyle !== 'SOLID') return settings;
  return { ...settings, lineStyle: ROUNDS[Math.floor(index / PALETTE_SIZE) % ROUNDS.length] ?? 'SOLID' };
}

/** Second colour of gradients. */
export function secondaryColor(settings: ChartSettings): string {
  return settings.secondaryColor === 'AUTOMATIC' ? '#ffffff' : settings.secondaryColor;
}

/** Vega's name of the marker of the series at `index`. */
export function markerShape(settings: Pick<ChartSettings, 'markerType'>, index: number): string {
  switch (settings.markerType) {
    case 'AUTOMATIC':
      return MARKERS[index % MARKERS.length] ?? MARKERS[0];
    case 'TRIANGLE':
      return 'triangle-up';
    default:
      return settings.markerType.toLowerCase();
  }
}
