import type { SeriesView } from '@catchment/dashboard-view';
import { isDark, LINES, readableOn, TEXTS } from './readable-color.ts';

export type Colors = { ink: string; grid: string; series: string[]; texts: string[] };

/** Returns colours of a plot: those of the element that it is in, and those of its series as they can be seen there. */
export function colorsOf(host: HTMLElement, series: readonly SeriesView[]): Colors {
  const style = getComputedStyle(host);
  // Custom properties are not resolved; colours of elements are.
  const ground = groundOf(host);
  return {
    ink: style.color,
    grid: style.borderTopColor,
    // Thin lines need more on dark grounds than the least that is allowed.
    series: series.map(({ color }) => readableOn(color, ground, isDark(ground) ? TEXTS : LINES)),
    texts: series.map(({ color }) => readableOn(color, ground, TEXTS)),
  };
}

function groundOf(element: HTMLElement): string {
  for (let at: HTMLElement | null = element; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/^rgba\(.*,\s*0\)$|^transparent$/.test(backgroundColor)) return backgroundColor;
  }
  return 'rgb(255, 255, 255)';
}
