import { NO_QUALITY, type Row } from './records.ts';

export type Refused = {
  readonly line: number;
  readonly reason: 'form' | 'time' | 'skipped' | 'outside' | 'twice' | 'quality' | 'note';
};
/** Reads clock times of a person, as `format/zone.ts` does. */
export type Clock = { readonly instant: (clockMs: number) => number; readonly offsetMs: (ms: number) => number };
type Limits = { readonly start: number; readonly end: number; readonly longestNote: number };

const DATE = '(?:(\\d{4})-(\\d{1,2})-(\\d{1,2})|(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}))';
const TIME = '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,3}))?)?';
const ZONE = '\\s?(Z|[+-]\\d{2}:?\\d{2})?';
const LINE = new RegExp(
  `^${DATE}[T\\s]\\s*${TIME}${ZONE}\\s*[\\s;,]\\s*([+-]?\\d+(?:[.,]\\d+)?(?:[eE][+-]?\\d+)?)(?:\\s*[\\s;]\\s*(\\d*)(?:\\s*[\\t;]\\s*(.*))?)?$`,
  'u',
);
const MINUTE_MS = 60_000;
const LARGEST_QUALITY = 65_535;

/**
 * Reads records that are typed or pasted, a line each: `2026-05-31 14:00; 1.25`, then a quality code and a note where there are any. A time
 * without a zone is the person's clock time; one that the clock skips is refused. Empty lines are passed over.
 */
export function parsedLines(text: string, clock: Clock, limits: Limits) {
  const rows = new Map<number, Row>();
  const refused: Refused[] = [];
  for (const [n, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '') continue;
    const read = rowOf(line, clock, limits);
    if (typeof read === 'string') refused.push({ line: n + 1, reason: read });
    else if (rows.has(read.ms)) refused.push({ line: n + 1, reason: 'twice' });
    else rows.set(read.ms, read);
  }
  return {
    rows: [...rows.values()].sort((a, b) => a.ms - b.ms) as readonly Row[],
    refused: refused as readonly Refused[],
  };
}

function rowOf(line: string, clock: Clock, { start, end, longestNote }: Limits): Row | Refused['reason'] {
  const found = LINE.exec(line);
  if (!found) return 'form';
  const [, isoYear, isoMonth, isoDay, day, month, year, hour, minute, second, fraction, zone, value, quality, note] =
    found;
  const numbers = [isoYear ?? year, isoMonth ?? month, isoDay ?? day, hour, minute, second ?? 0].map(Number);
  const clockMs = clockOf(numbers) + Number((fraction ?? '').padEnd(3, '0'));
  if (!Number.isFinite(clockMs)) return 'time';
  const ms = zone === undefined ? clock.instant(clockMs) : clockMs - offsetOf(zone);
  if (zone === undefined && ms + clock.offsetMs(ms) !== clockMs) return 'skipped';
  if (ms < start || ms > end) return 'outside';
  const code = quality === undefined || quality === '' ? NO_QUALITY : Number(quality);
  if (code > LARGEST_QUALITY) return 'quality';
  const text = note?.trim();
  if (text !== undefined && text.length > longestNote) return 'note';
  const amount = Number(value!.replace(',', '.'));
  if (!Number.isFinite(amount)) return 'form';
  return { ms, value: amount, quality: code, note: text === '' ? undefined : text };
}

/** Returns NaN where there is no such day or time. */
function clockOf([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]): number {
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(ms);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isDay && hour < 24 && minute < 60 && second < 60 ? ms : Number.NaN;
}

function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}
