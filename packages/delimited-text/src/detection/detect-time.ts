import { invalid } from '@catchment/errors';
import type { Steps } from '@catchment/fair-queue';
import type { Join } from '../records/layout.ts';
import { beforeZone, isZone, mayBeZone, ZONE_LABEL } from '../times/zone-text.ts';
import { type DayOrder, orderIn } from './date-orders.ts';
import type { Table } from './sample-table.ts';
import type { Ambiguous, FoundTime, TimeColumns } from './time-columns.ts';
import { clockForm, dateForm, type Form, isPackedClock, isPackedSeconds, isSerial, packedForm } from './time-forms.ts';
import { asInstant } from './time-instants.ts';
import { isBeginOfRow, isClockLabel, isTimeLabel, isTimeOfArrival, isTimeOfElse } from './time-labels.ts';
import { partColumns } from './time-parts-columns.ts';

/** Candidates are columns with dates or times. */
interface Candidate {
  readonly index: number;
  readonly texts: readonly string[];
  readonly form: Form;
  /** The zone is at the end of its texts. */
  readonly isZoned: boolean;
}

/**
 * Finds the columns that make the time of a row: one that has all of it, a date and a time of day wherever they stand, or a column for each
 * part of it.
 * @throws DomainError invalid_argument: there are none, or `ambiguous` throws
 */
export function* timeColumns(table: Table, unwanted: ReadonlySet<number>, ambiguous: Ambiguous): Steps<TimeColumns> {
  const found =
    (yield* datedColumns(table, unwanted)) ??
    partColumns(table, unwanted) ??
    (yield* numberColumns(table, unwanted)) ??
    partColumns(table, unwanted, false);
  if (!found) {
    throw invalid('NO_TIME', 'file: has no column with a timestamp in a form that is known; name its columns');
  }
  const { time, open } = found;
  if (open) ambiguous(open);
  return time;
}

function* datedColumns(table: Table, unwanted: ReadonlySet<number>): Steps<FoundTime | undefined> {
  const order = orderOf(table);
  const dated = yield* columnsOf(table, unwanted, (texts, index) => dateForm(texts, undefined, order(index)));
  const found = yield* chosenOf(table, dated);
  return found && (asInstant(table, unwanted, found) ?? found);
}

/** Numbers that are times: packed dates, Unix time, days of a spreadsheet. */
function* numberColumns(table: Table, unwanted: ReadonlySet<number>): Steps<FoundTime | undefined> {
  const dated = yield* columnsOf(table, unwanted, (texts, index) => {
    const label = table.labels[index] ?? '';
    const isNamed = isTimeLabel(label);
    if (!isNamed && !(label === '' || index === 0)) return undefined;
    const packed = packedForm(texts, isNamed);
    if (packed) return isNamed || isSteady(texts) || isBesideClock(table, index, packed) ? packed : undefined;
    return isNamed && texts.filter(isSerial).length * 2 > texts.length
      ? { format: 'excel', hasClock: true }
      : undefined;
  });
  const named = dated.filter(({ index }) => isTimeLabel(table.labels[index] ?? ''));
  return yield* chosenOf(table, named.length > 0 ? named : dated);
}

/** Accepts a day of eight digits that is the same in all rows, with a time of day in the next column. */
const isBesideClock = ({ textsOf }: Table, index: number, { hasClock }: Form): boolean =>
  !hasClock && textsOf(index + 1).length > 0 && textsOf(index + 1).every((text) => CLOCK.test(text));
const CLOCK = /^\d{1,2}:\d{2}(?::\d{2})?|^(?:[01]\d|2[0-4])[0-5]\d(?:[0-5]\d)?$/;

/** Numbers that go one way, as times do and hardly anything else. */
function isSteady(texts: readonly string[]): boolean {
  const numbers = texts.map(Number).filter(Number.isFinite);
  const steps = numbers.slice(1).map((value, n) => Math.sign(value - (numbers[n] ?? value)));
  const [up, down] = [1, -1].map((sign) => steps.filter((step) => step === sign).length) as [number, number];
  return Math.max(up, down) > 0 && Math.min(up, down) * 10 <= Math.max(up, down);
}

/** Returns what the label of a column says of the order, else what anything above the data says. */
function orderOf({ labels, above }: Table): (index: number) => DayOrder {
  const ofFile = orderIn(above);
  return (index) => orderIn([labels[index] ?? '']) ?? ofFile;
}

function* columnsOf(
  { width, textsOf, count }: Table,
  unwanted: ReadonlySet<number>,
  formOf: (texts: readonly string[], index: number) => Form | undefined,
): Steps<Candidate[]> {
  const found: Candidate[] = [];
  for (let index = 0; index < width; index += 1) {
    yield;
    const texts = textsOf(index);
    if (unwanted.has(index) || texts.length * 2 < count) continue;
    const form = formOf(texts, index);
    if (form) {
      found.push({ index, texts, form, isZoned: false });
      continue;
    }
    const zoned = texts.flatMap((text) => beforeZone(text) ?? []);
    const before = zoned.length * 2 > texts.length ? formOf(zoned, index) : undefined;
    if (before) found.push({ index, texts, form: before, isZoned: true });
  }
  return found;
}

/** Chooses the first of them, unless its dates repeat where another candidate distinguishes the rows. */
function* chosenOf(table: Table, all: readonly Candidate[]): Steps<FoundTime | undefined> {
  const dated = ofRows(table, all);
  const [first] = dated;
  if (!first) return undefined;
  if (first.form.hasClock) return timeOf([first]);
  const clock = yield* clockOf(table, first);
  if (clock) return timeOf([first, clock, ...halfDayOf(table, clock)]);
  const whole =
    repeats(first.texts) > 0
      ? dated.find(({ form, texts }) => form.hasClock && repeats(texts) < repeats(first.texts))
      : undefined;
  return timeOf([whole ?? first]);
}

/** Leaves out times that belong to something else, such as the day of the export: their labels say so, or all rows have the same one. */
function ofRows({ labels }: Table, dated: readonly Candidate[]): readonly Candidate[] {
  const isElse = ({ index }: Candidate) => isTimeOfElse(labels[index] ?? '');
  const isSame = ({ texts }: Candidate) => texts.length > 1 && new Set(texts).size === 1;
  const isLater = ({ index }: Candidate) => isTimeOfArrival(labels[index] ?? '');
  const candidates = [isElse, isLater].reduce<readonly Candidate[]>((left, isOther) => {
    const without = left.filter((format) => !isOther(format));
    return without.length > 0 ? without : left;
  }, dated);
  // The day is the same in a file of one day; a time of day is not.
  const changing = candidates.filter((format) => !isSame(format));
  return changing.some(({ form }) => form.hasClock) ? changing : candidates;
}

const repeats = (texts: readonly string[]): number => texts.length - new Set(texts).size;

function timeOf(columns: readonly Candidate[]): FoundTime {
  const [first] = columns as [Candidate];
  const joins = columns.flatMap(({ index, form: { format }, isZoned }): Join[] => [
    { column: index, field: 'TIME', ...(format && { format }) },
    ...(isZoned ? [{ column: index, field: 'TIMEZONE' as const }] : []),
  ]);
  const { unlikely, format, others = unlikely === undefined ? undefined : [unlikely] } = first.form;
  const [text = ''] = first.texts;
  const clock = columns
    .slice(1)
    .map(({ form }) => ` ${form.format}`)
    .join('');
  const open =
    others === undefined
      ? undefined
      : {
          column: first.index,
          text,
          formats: [format, ...others].map((form) => `${form}${clock}`),
          ...(unlikely !== undefined && { isUnlikely: true }),
        };
  return { time: { index: first.index, joins }, open };
}

/** Finds the column with the time of day, for a date in a separate column. */
function* clockOf(table: Table, date: Candidate): Steps<Candidate | undefined> {
  const doRepeat = repeats(date.texts) > 0;
  let best: { readonly candidate: Candidate; readonly points: number } | undefined;
  for (let index = 0; index < table.width; index += 1) {
    yield;
    const texts = table.textsOf(index);
    if (index === date.index || texts.length * 4 < table.count) continue;
    const label = table.labels[index] ?? '';
    // Any number with two decimals looks like a time of day with a point.
    if (!isClockLabel(label) && texts.filter((text) => /^\d{1,2}\.\d{2}$/.test(text)).length * 2 > texts.length)
      continue;
    const format =
      clockForm(texts) ?? packedClockForm(texts, { label, isNear: Math.abs(index - date.index) === 1, doRepeat });
    if (format === undefined) continue;
    const points = pointsOf(label, index - date.index, doRepeat);
    const candidate = { index, texts, form: { format, hasClock: true }, isZoned: false };
    if (points > 0 && (!best || points > best.points)) best = { candidate, points };
  }
  return best?.candidate;
}

/**
 * Rates how likely a time of day is the one of the date: it is named so, stands beside it, or distinguishes rows of one
 * day.
 */
function pointsOf(label: string, distance: number, doRepeat: boolean): number {
  const byPlace = distance === 1 ? 3 : distance === -1 ? 2 : 0;
  // A row of an interval counts from where it begins.
  const byLabel = isBeginOfRow(label) ? 3 : isTimeOfElse(label) ? -4 : isClockLabel(label) ? 4 : 0;
  return byPlace + byLabel + (doRepeat ? 1 : 0);
}

/** Finds `AM` or `PM` in a separate column, where blanks part fields. */
function halfDayOf({ textsOf }: Table, { index }: Candidate): Candidate[] {
  const texts = textsOf(index + 1);
  const isHalfDay = texts.length > 0 && texts.every((text) => /^[ap]\.?m\.?$/i.test(text));
  return isHalfDay ? [{ index: index + 1, texts, form: { format: 'A', hasClock: true }, isZoned: false }] : [];
}

function packedClockForm(
  texts: readonly string[],
  { label, isNear, doRepeat }: { readonly label: string; readonly isNear: boolean; readonly doRepeat: boolean },
): string | undefined {
  const isNamed = isClockLabel(label);
  if (!isNamed && !(isNear && doRepeat && label === '')) return undefined;
  // `h` may be a height, and a day has its hours of sun: hours of the clock distinguish rows of one day.
  if (/^(?:h|hours|hrs|stunden|std|heures|horas)$/i.test(label.trim()) && !doRepeat) return undefined;
  if (
    isNamed &&
    /^(?:hours?|hrs?|hh?|stunden?|std|heures?|horas?)\b/i.test(label) &&
    texts.every((text) => /^\d{1,2}$/.test(text) && Number(text) <= 24)
  )
    return 'H';
  if (texts.filter(isPackedClock).length * 2 > texts.length && repeats(texts) < texts.length - 1) return 'HHmm';
  return texts.filter((text) => isPackedClock(text) || isPackedSeconds(text)).length * 2 > texts.length &&
    texts.some(isPackedSeconds)
    ? 'HHmmss'
    : undefined;
}

/** Returns the time with the column that has the zone of each line: it is named so, or stands beside the time. */
export function withZone(time: TimeColumns, { labels, textsOf, width }: Table): TimeColumns {
  if (time.joins.some(({ field }) => field === 'TIMEZONE')) return time;
  const used = time.joins.map(({ column }) => column ?? time.index);
  const column = Array.from({ length: width }, (_, index) => index).find((index) => {
    const texts = textsOf(index);
    if (used.includes(index) || texts.length === 0) return false;
    if (ZONE_LABEL.test(labels[index] ?? '')) return texts.every(mayBeZone);
    return (
      index === Math.max(...used) + 1 && !labels[index] && texts.every((text) => /[a-z]/i.test(text) && isZone(text))
    );
  });
  if (column === undefined) return time;
  return { ...time, joins: [...time.joins, { column, field: 'TIMEZONE' }] };
}
