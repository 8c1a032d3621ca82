import type { DeadLetter } from '@catchment/bus';
import { formatIsoMs } from '@catchment/time';

const HEADER = ['NUMBER', 'READER', 'SUBJECT', 'MESSAGE OF', 'PUT ASIDE', 'BYTES', 'REASON'] as const;
const WIDTHS = [8, 18, 26, 20, 20, 9] as const;

/** A line of the list; the reason comes last, since it may be long. */
export const letterLine = (letter: DeadLetter): string =>
  line([
    String(letter.number),
    letter.reader,
    letter.subject,
    letter.timeMs === undefined ? '?' : seconds(letter.timeMs),
    seconds(letter.deadMs),
    String(letter.bytes),
    letter.reason,
  ]);

export const headerLine = (): string => line(HEADER);

/** For programs. */
export const letterDocument = ({ timeMs, deadMs, ...letter }: DeadLetter): Record<string, unknown> => ({
  ...letter,
  time: timeMs === undefined ? null : formatIsoMs(timeMs),
  putAside: formatIsoMs(deadMs),
});

const seconds = (ms: number): string => `${formatIsoMs(ms).slice(0, 19)}Z`;
const line = (cells: readonly string[]): string => cells.map((cell, n) => cell.padEnd(WIDTHS[n] ?? 0)).join('  ');
