/** A span in Unix milliseconds. */
export type Window = { readonly start: number; readonly end: number };

/** Below it, a chart would show the clock's own grain. */
const LEAST_MS = 100;

const widthOf = ({ start, end }: Window): number => end - start;

/** Returns `window` moved, and cut where it is too wide, so that it lies inside of `bounds`. */
export function within(window: Window, bounds: Window): Window {
  const width = Math.min(Math.max(widthOf(window), LEAST_MS), widthOf(bounds));
  const start = Math.min(Math.max(window.start, bounds.start), bounds.end - width);
  return { start, end: start + width };
}

/** @param factor below 1 shows less time; @param at the instant that keeps its place */
export const zoomed = (window: Window, factor: number, at: number): Window => ({
  start: at - (at - window.start) * factor,
  end: at + (window.end - at) * factor,
});

/** @param share of what is shown; forward in time where positive */
export function panned(window: Window, share: number): Window {
  const by = widthOf(window) * share;
  return { start: window.start + by, end: window.end + by };
}

const middleOf = ({ start, end }: Window): number => (start + end) / 2;

/** Returns whether nothing of `bounds` is left out, but for rounding. */
export function isWhole(window: Window, bounds: Window): boolean {
  const rounding = widthOf(bounds) * 1e-9;
  const covers = window.start <= bounds.start + rounding && window.end >= bounds.end - rounding;
  return covers || widthOf(bounds) <= LEAST_MS;
}

/** Finds where a window may move: within the period, and from a window outside of it, as an address may name one, back to it. */
export const reachOf = (window: Window, bounds: Window): Window => ({
  start: Math.min(window.start, bounds.start),
  end: Math.max(window.end, bounds.end),
});

/** Tells what a key does to the window; undefined for nothing. `bounds` = everything is shown again. */
export function byKey(key: string, window: Window, bounds: Window): Window | undefined {
  switch (key) {
    case 'ArrowLeft':
      return within(panned(window, -0.2), bounds);
    case 'ArrowRight':
      return within(panned(window, 0.2), bounds);
    case 'PageUp':
      return within(panned(window, -1), bounds);
    case 'PageDown':
      return within(panned(window, 1), bounds);
    case '+':
    case '=':
      return within(zoomed(window, 0.5, middleOf(window)), bounds);
    case '-':
    case '_':
      return within(zoomed(window, 2, middleOf(window)), bounds);
    case '0':
    case 'Home':
      return bounds;
    default:
      return undefined;
  }
}
