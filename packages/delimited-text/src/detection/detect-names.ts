import type { Layout, ParserSettings } from '../records/layout.ts';
import type { Row } from '../rows/rows.ts';
import { isWholeNumber } from '../values/numbers.ts';
import { isUnit, unitsIn } from '../values/units.ts';
import type { Header } from './known-headers.ts';
import { isTimeLabel } from './time-labels.ts';

type Names = Pick<Layout, 'labels' | 'units' | 'labelsRow' | 'unitsRow'>;
type Line = { readonly line: number; readonly fields: readonly string[] };

const trimmed = ({ fields, line }: Row): Line => ({ line, fields: fields.map((text) => text.trim()) });
const filledOf = ({ fields }: Line): string[] => fields.filter((text) => text !== '');

/** A logger has made the values by these, below their units. */
const PROCESS = /^(?:avg|smp|min|max|tot|std|wvc|med|cov|mom|ehl|rfh|tmx|tmn)$/i;
/** These stand for units above or below the time. */
const ZONE_UNITS = /^(?:utc|gmt|[ecmp][sd]t|cet|cest|mez|mesz|bst|a[ec]st)/i;
const TIME_UNITS =
  /^(?:ts|rn|utc|gmt|local|[ymdhs:/.\- t]{4,}|date|time|date ?time|none|-|n\/a|(?:utc|gmt|[ecmp][sd]t|cet|cest|mez|mesz|bst|a[ec]st)(?: ?[+-]?\d+)?)$/i;

/**
 * Labels and units: the settings say where they are, or a header that is known; otherwise the last lines before the data that have about as
 * many fields as these.
 */
export function namesOf(
  rows: readonly Row[],
  settings: ParserSettings,
  header: Header | undefined,
  { headerLines, width, timeIndex, isBlank }: Place,
): Names {
  const lineOf = (line: number | undefined) => {
    const row = rows.find((row) => row.line === line);
    return row && trimmed(row).fields;
  };
  const found = header ? ofHeader(header) : likelyNames(rows, { headerLines, width, timeIndex, isBlank });
  const likelyUnits = settings.labelsRow ? undefined : found.units;
  const labels = lineOf(settings.labelsRow) ?? found.labels?.fields ?? [];
  const below = lineOf(settings.unitsRow) ?? likelyUnits?.fields ?? [];
  return {
    labels,
    units: header ? below : unitsFor(labels, below),
    labelsRow: settings.labelsRow ?? (found.labels?.line || undefined),
    unitsRow: settings.unitsRow ?? likelyUnits?.line,
  };
}

/** Takes the units of a separate line, else those that the labels name. */
export const unitsFor = (labels: readonly string[], below: readonly string[]): string[] =>
  Array.from(
    { length: Math.max(labels.length, below.length) },
    (_, n) => (below[n] ?? '').replace(/^[([](.*)[)\]]$/, '$1') || unitsIn(labels[n] ?? ''),
  );

function ofHeader({ labels, labelsLine, units, unitsLine }: Header): { labels: Line; units?: Line } {
  return {
    labels: { fields: labels, line: labelsLine ?? 0 },
    ...(unitsLine !== undefined && { units: { fields: units, line: unitsLine } }),
  };
}

type Place = {
  readonly headerLines: number;
  readonly width: number;
  readonly timeIndex: number;
  /** Blanks part fields: a sentence has many. */
  readonly isBlank: boolean;
};

function likelyNames(rows: readonly Row[], place: Place): { labels?: Line; units?: Line } {
  const { timeIndex } = place;
  const fitting = linesAbove(rows, place);
  const last = (n: number) => fitting.at(-n);
  const skipped = last(1) && filledOf(last(1)!).every((text) => PROCESS.test(text)) && fitting.length > 1 ? 1 : 0;
  const [below, above] = [last(1 + skipped), last(2 + skipped)];
  if (!below) return {};
  if (above && isUnitsLine(below, timeIndex) && !isUnitsLine(above, timeIndex)) {
    return { labels: whole(above, fitting, timeIndex), units: below };
  }
  if (above && isUnitsLine(above, timeIndex) && !isUnitsLine(below, timeIndex) && isBeside(above, below, rows))
    return { labels: below, units: above };
  return { labels: whole(below, fitting, timeIndex) };
}

/** Returns the line of labels with what the line above adds to it. */
function whole(labels: Line, fitting: readonly Line[], timeIndex: number): Line {
  const above = fitting.find(({ line }) => line === labels.line - 1);
  return above && isUpperHalf(above, labels, timeIndex)
    ? { line: labels.line, fields: labels.fields.map((text, n) => `${above.fields[n] ?? ''} ${text}`.trim()) }
    : distinguished(labels, fitting);
}

/** Names in two lines, such as `Temp` above `Out`: the time needs one of them only. */
function isUpperHalf(above: Line, labels: Line, timeIndex: number): boolean {
  return (
    above.fields.length === labels.fields.length &&
    (above.fields[timeIndex] ?? '') === '' &&
    !isUnitsLine(labels, timeIndex) &&
    filledOf(above).length * 5 >= (filledOf(labels).length - 1) * 3 &&
    above.fields.every((text) => !/[\d:]/.test(text))
  );
}

/** This many other lines may stand between names and data. */
const OTHERS_MAX = 1;
const RULE = /^[-=_*~+|]+$/;

/** Returns the last lines before the data that have about as many fields, from the top. */
function linesAbove(rows: readonly Row[], { headerLines, width, timeIndex, isBlank }: Place): Line[] {
  const needed = Math.max(Math.min(width, 2), Math.ceil(width / 2));
  const fitting: Line[] = [];
  let others = 0;
  for (const line of rows
    .filter((row) => row.line <= headerLines)
    .map(trimmed)
    .toReversed()) {
    const filled = filledOf(line);
    if (filled.every((text) => RULE.test(text)) || isOfNumbers(line, timeIndex) || isOfTime(line, width)) continue;
    const isWide = isBlank
      ? line.fields.length === width || line.fields.length === width - 1
      : line.fields.length >= needed;
    if (isWide && (filled.length >= Math.min(width, 2) || isUnitsLine(line, timeIndex))) {
      fitting.unshift(line);
      others = 0;
    } else {
      others += 1;
      if (others > OTHERS_MAX) break;
    }
  }
  return fitting;
}

/** `Date,Time,,`: it names the time only. */
function isOfTime({ fields }: Line, width: number): boolean {
  const filled = fields.filter((text) => text !== '');
  return width > filled.length + 1 && filled.length > 0 && filled.every((text) => isTimeLabel(text)) && width > 2;
}

/** Recognises `Resolution,0.001,0.001`: a line of a preamble with something about each column. */
function isOfNumbers({ fields }: Line, timeIndex: number): boolean {
  const key = fields[timeIndex] ?? '';
  const labels = fields.filter((text, index) => index !== timeIndex && text !== '');
  return key !== '' && !isTimeLabel(key) && labels.length > 0 && labels.every((text) => isWholeNumber(text, '.'));
}

/** Prefixes labels that columns share with the line above that distinguishes these, such as the port of a sensor. */
function distinguished(labels: Line, fitting: readonly Line[]): Line {
  const areApart = (all: readonly string[]) =>
    new Set(all.filter((text) => text !== '')).size === all.filter((text) => text !== '').length;
  if (areApart(labels.fields)) return labels;
  const lines = fitting.filter(
    ({ line, fields }) => line < labels.line && labels.line - line <= 4 && fields.length === labels.fields.length,
  );
  for (const { fields } of lines.toReversed()) {
    const both = labels.fields.map((text, n) =>
      labels.fields.filter((field) => field === text).length > 1 ? `${fields[n]} ${text}`.trim() : text,
    );
    if (areApart(both)) return { line: labels.line, fields: both };
  }
  return labels;
}

/** No line that has something lies between them. */
const isBeside = (above: Line, below: Line, rows: readonly Row[]): boolean =>
  !rows.some(({ line }) => line > above.line && line < below.line);

/** Most of its fields, beside that of the time, are units, or it has none for the time. */
function isUnitsLine(line: Line, timeIndex: number): boolean {
  const texts = line.fields.filter((text, index) => index !== timeIndex && text !== '');
  const known = texts.filter((text) => isUnit(text.replace(/^[([](.*)[)\]]$/, '$1')) || TIME_UNITS.test(text)).length;
  const time = line.fields[timeIndex] ?? '';
  // The key of a pair such as `Zeitzone;MEZ` stands above the time.
  if (texts.length === 0 || (time !== '' && !TIME_UNITS.test(time) && texts.every((text) => ZONE_UNITS.test(text))))
    return false;
  const isShort = texts.every((text) => text.length <= 15);
  return (
    known * 2 >= texts.length ||
    (time === '' && isShort && known > 0) ||
    /^(?:ts|\[?[ymdhs:/.\- t]{6,}\]?)$/i.test(time)
  );
}
