import type { Window } from './chart-window.ts';

export type Grip = 'start' | 'end' | 'all' | 'new';

/** Tells what a pointer takes hold of: an edge of the window, the window, or a place beside it. */
export function gripOf(ms: number, window: Window, nearMs: number): Grip {
  const isWide = window.end - window.start > 3 * nearMs;
  if (isWide && Math.abs(ms - window.start) <= nearMs) return 'start';
  if (isWide && Math.abs(ms - window.end) <= nearMs) return 'end';
  return ms >= window.start && ms <= window.end ? 'all' : 'new';
}

/** Returns the window once the pointer, which took hold of it at `from`, is at `to`. */
export function dragged(grip: Grip, window: Window, from: number, to: number): Window {
  const by = to - from;
  if (grip === 'all') return { start: window.start + by, end: window.end + by };
  if (grip === 'start') return { start: Math.min(window.start + by, window.end - 1), end: window.end };
  if (grip === 'end') return { start: window.start, end: Math.max(window.end + by, window.start + 1) };
  const half = (window.end - window.start) / 2;
  return { start: to - half, end: to + half };
}
