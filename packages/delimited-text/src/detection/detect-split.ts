import type { Layout, ParserSettings } from '../records/layout.ts';
import { readClock } from '../times/auto-time.ts';
import { isWholeNumber } from '../values/numbers.ts';
import { fixedColumns } from './fixed-columns.ts';
import type { Header } from './known-headers.ts';
import { type Head, SAMPLE_ROWS, sampleLines, sampleRows } from './sample.ts';
import { commonWidth, isDataLike, isDateLike } from './sample-table.ts';

const DELIMITERS = [',', '\t', ';', '|'];
/** Spreadsheets take this for the delimiter of a file: a first line such as `sep=;`. */
const NAMED = /^\s*"?sep=(.)"?\s*(?:\r?\n|\r)/i;

type Split = Pick<Layout, 'delimiter' | 'columnWidths'>;
/** Measures how well a delimiter parts lines. */
interface Measure {
  readonly delimiter: string;
  readonly fields: number;
  /** Lines from the end on, and of all, that have as many fields. */
  readonly matched: number;
  readonly share: number;
  /** This share of their fields is a number, a date or a time of day. */
  readonly clean: number;
}

/** Finds what parts the fields of a line. */
export async function splitOf(
  head: Head,
  settings: ParserSettings,
  header: Header | undefined,
  textQualifier: string,
): Promise<Split> {
  const delimiter = settings.delimiter ?? header?.delimiter;
  if (settings.columnWidths?.length) return { delimiter: delimiter ?? ',', columnWidths: settings.columnWidths };
  if (delimiter !== undefined) return { delimiter, columnWidths: [] };
  const named = NAMED.exec(head.text)?.[1];
  if (named !== undefined) return { delimiter: named, columnWidths: [] };
  const measures: Measure[] = [];
  for (const delimiter of DELIMITERS) measures.push(await measureOf(head, delimiter, textQualifier));
  const likely = measures.reduce((best, measure) => (isBetter(measure, best) ? measure : best));
  const isLikely = likely.share >= MOST_LINES && likely.clean >= SOME_VALUES;
  if (isLikely || settings.columns?.length) return { delimiter: likely.delimiter, columnWidths: [] };
  const blanks = await measureOf(head, 'SPACE', textQualifier);
  if (likely.matched > 0 && pointsOf(likely) >= pointsOf(blanks))
    return { delimiter: likely.delimiter, columnWidths: [] };
  const { data, above } = alignedLines(head);
  const columnWidths = fixedColumns(data, above) ?? [];
  if (columnWidths.length > 0) return { delimiter: ',', columnWidths };
  return { delimiter: pointsOf(blanks) > pointsOf(likely) ? 'SPACE' : likely.delimiter, columnWidths: [] };
}

/** Lines that a delimiter must make equally wide, and values among their fields, before blanks are tried. */
const MOST_LINES = 0.5;
const SOME_VALUES = 0.3;

/** Lines that have data, and the one above them, which may have their names. */
function alignedLines(head: Head): { readonly data: readonly string[]; readonly above: string } {
  const lines = sampleLines(head);
  const isData = (line: string) => {
    const fields = line.trim().split(/ +/);
    return (
      isDataLike({ line: 0, fields }) &&
      (isDateLike(fields[0] ?? '') || fields.filter(isValue).length * 2 > fields.length)
    );
  };
  const start = longestRun(lines.map(isData));
  if (start < 0) return { data: [], above: '' };
  const data = lines.slice(start).filter(isData);
  // A title may be a number or a date.
  const [first, ...others] = data.map((line) => line.trim().split(/ +/).length);
  const isTitle = others.length > 1 && others.every((count) => count > (first ?? 0));
  return {
    data: isTitle ? data.slice(1) : data,
    above: lines.slice(0, start).findLast((line) => !/^[-=_*~+| ]+$/.test(line)) ?? '',
  };
}

/** Finds where most lines of data follow each other; a preamble may have dates and numbers too. */
function longestRun(isData: readonly boolean[]): number {
  let best = { start: -1, length: 0 };
  for (let start = 0; start < isData.length; start += 1) {
    if (!isData[start] || isData[start - 1]) continue;
    const end = isData.indexOf(false, start);
    const length = (end < 0 ? isData.length : end) - start;
    if (length > best.length) best = { start, length };
  }
  return best.start;
}

const pointsOf = ({ matched, clean }: Measure): number => matched * (0.2 + clean);
const isBetter = (measure: Measure, best: Measure): boolean =>
  pointsOf(measure) > pointsOf(best) || (pointsOf(measure) === pointsOf(best) && measure.fields > best.fields);

const isValue = (field: string): boolean => {
  const text = field.trim();
  if (/[;|\t]/.test(text)) return false;
  return isWholeNumber(text, '.') || isWholeNumber(text, ',') || isDateLike(text) || readClock(text) !== undefined;
};

async function measureOf(head: Head, delimiter: string, textQualifier: string): Promise<Measure> {
  const rows = await sampleRows(head, { delimiter, textQualifier }, { max: SAMPLE_ROWS });
  const width = commonWidth(rows);
  if (width < 2) return { delimiter, fields: 1, matched: 0, share: 0, clean: 0 };
  const equal = rows.filter(({ fields }) => fields.length === width);
  const data = equal.filter(isDataLike);
  const matching = data.length > 0 ? data : equal;
  const filled = matching.flatMap(({ fields }) => fields.filter((field) => field.trim() !== ''));
  const clean = filled.length === 0 ? 0 : filled.filter(isValue).length / filled.length;
  return { delimiter, fields: width, matched: matching.length, share: equal.length / rows.length, clean };
}
