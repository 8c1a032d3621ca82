import { type TickSchedule, tickAfter } from '@catchment/time';

export type Schedule = TickSchedule;

/**
 * Returns the first run after a time. A run within a session is thereby skipped: the next one is asked for when it has
 * ended.
 */
export const runAfter = tickAfter;

export type Retries = { readonly attempts: number; readonly delayMs: number };

/** @param done retries that were made @returns undefined: none is left */
export const retryAfter = ({ attempts, delayMs }: Retries, done: number, nowMs: number): number | undefined =>
  done < attempts ? nowMs + delayMs : undefined;

/** In an event a person reads "45 s", "15 min", "1 h 30 min". */
export function shownDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return shown.length > 0 ? shown.join(' ') : '0 s';
}
