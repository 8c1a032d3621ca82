import type { DeadLetter } from '@catchment/bus';
import { formatIsoMs } from '@catchment/time';

const HEADER = ['NUMBER', 'READER', 'SUBJECT', 'MESSAGE OF', 'PUT ASIDE', 'BYTES', 'REASON'] as const;
const WIDTHS = [8, 18, 26, 20, 20, 9] as const;

/** Writes a line of the list; the reason comes last, since it may be long. */
export const deadLetterLine = (deadLetter: DeadLetter): string =>
  line([
    String(deadLetter.number),
    deadLetter.reader,
    deadLetter.subject,
    deadLetter.timeMs === undefined ? '?' : seconds(deadLetter.timeMs),
    seconds(deadLetter.deadMs),
    String(deadLetter.bytes),
    deadLetter.reason,
  ]);

export const headerLine = (): string => line(HEADER);

/** Writes a document for programs. */
export const deadLetterDocument = ({ timeMs, deadMs, ...deadLetter }: DeadLetter): Record<string, unknown> => ({
  ...deadLetter,
  time: timeMs === undefined ? null : formatIsoMs(timeMs),
  putAside: formatIsoMs(deadMs),
});

const seconds = (ms: number): string => `${formatIsoMs(ms).slice(0, 19)}Z`;
const line = (cells: readonly string[]): string => cells.map((cell, n) => cell.padEnd(WIDTHS[n] ?? 0)).join('  ');
