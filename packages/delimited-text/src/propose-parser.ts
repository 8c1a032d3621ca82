import { decodeText } from './decode.ts';
import { detectLayout } from './detect-layout.ts';
import { type ColumnSettings, type Layout, labelOf, type ParserSettings } from './layout.ts';
import { readHead } from './sample.ts';
import { zoneOfLabel } from './zone-text.ts';

export interface Proposal {
  /** With it a file like this one is read as without any. */
  readonly parser: ParserSettings;
  readonly layout: 'TOA5' | 'USGS RDB' | 'CSV' | 'FIXED';
  /** Zone of the source, without daylight saving time, where the label of the time names an offset. */
  readonly timezone?: string;
  /** What the proposal was taken from, for people. */
  readonly why: string;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '|': 'vertical bars',
  '\t': 'tabs',
  SPACE: 'blanks',
};
const NAMES: Readonly<Record<string, string>> = { '\t': 'TAB', ';': 'SEMICOLON', '|': 'PIPE' };
/** Of a parser (docs/reference/acquisition.md#text-parser). */
const COLUMNS_MAX = 1000;
const KEY_CHARACTERS = 255;

/**
 * A parser for files like this one, from its beginning, which may end anywhere. Times that may begin with their day or their month are taken to begin with the
 * day, which `why` tells.
 * @throws DomainError invalid_argument: no time is found, or the header is damaged
 */
export async function proposeParser(
  bytes: AsyncIterable<Uint8Array>,
  settings: Pick<ParserSettings, 'encoding'> = {},
): Promise<Proposal> {
  const { head, text } = await readHead(decodeText(bytes, settings.encoding ?? 'UTF-8'), true);
  await text.return(undefined);
  let doubt = '';
  const ambiguous = (column: number, of: string) => {
    doubt = ` Column ${column + 1}: '${of.slice(0, 40)}' may begin with its day or its month: the day is assumed.`;
  };
  const layout = await detectLayout(head, settings, { ambiguous });
  const proposal = { parser: parserOf(layout, settings), layout: kindOf(layout) };
  const zone = labelledZone(layout);
  const why = `${reasonOf(layout)}${doubt}${zone ? ` The label '${zone.label}' names the zone.` : ''}`;
  return { ...proposal, ...(zone && { timezone: zone.timezone }), why };
}

/** Of the time as a whole, where its lines name no zone. */
function labelledZone(layout: Layout): { readonly label: string; readonly timezone: string } | undefined {
  const time = layout.columns.find(({ type }) => type === 'RECORD_TIME');
  if (!time || time.joins?.some(({ field }) => field === 'TIMEZONE')) return undefined;
  for (const column of new Set([time.index, ...(time.joins ?? []).map(({ column = time.index }) => column)])) {
    const label = (layout.labels[column] ?? '').slice(0, 80);
    const timezone = zoneOfLabel(label);
    if (timezone) return { label, timezone };
  }
  return undefined;
}

const KINDS = { TOA5: 'TOA5', RDB: 'USGS RDB', CATCHMENT: 'CSV' } as const;
const kindOf = ({ kind, columnWidths }: Layout): Proposal['layout'] =>
  kind === 'DELIMITED' ? (columnWidths.length > 0 ? 'FIXED' : 'CSV') : KINDS[kind];

function reasonOf({ kind, delimiter, columnWidths, headerLines }: Layout): string {
  if (kind === 'TOA5') return 'The file begins with TOA5, as those of Campbell loggers do.';
  if (kind === 'RDB') return 'The names of the columns are followed by their widths, as in RDB files of the USGS.';
  if (kind === 'CATCHMENT') return 'The header has the lines Id, Timestamp and Units.';
  const data = `Data begin in line ${headerLines + 1}.`;
  if (columnWidths.length > 0) return `The columns are aligned by blanks. ${data}`;
  const separator = SEPARATORS[delimiter] ?? `'${delimiter}'`;
  return `Fields are separated by ${separator}: most lines have as many of them. ${data}`;
}

const nameOf = (delimiter: string): string => NAMES[delimiter] ?? delimiter;

function parserOf(layout: Layout, { encoding }: Pick<ParserSettings, 'encoding'>): ParserSettings {
  const { columnWidths, labelsRow, unitsRow, headerLines, decimalSeparator, textQualifier } = layout;
  const isFixed = columnWidths.length > 0;
  const named = Math.max(labelsRow ?? 0, unitsRow ?? 0);
  return {
    ...(isFixed ? { columnWidths } : { delimiter: nameOf(layout.delimiter), textQualifier }),
    decimalSeparator,
    ...(encoding && { encoding }),
    ...(labelsRow && { labelsRow }),
    ...(unitsRow && { unitsRow }),
    ...(headerLines > named && { dataRow: headerLines + 1 }),
    columns: columnsOf(layout),
  };
}

/** Series are named after their columns; of two with one name the later one has a number. */
function columnsOf(layout: Layout): ColumnSettings[] {
  const taken = new Set<string>();
  return layout.columns.slice(0, COLUMNS_MAX).map((column) => {
    if (column.type === 'RECORD_TIME' || column.type === 'DISABLED') return column;
    const label = labelOf(layout, column.index);
    let series = label.slice(0, KEY_CHARACTERS);
    for (let n = 2; taken.has(series); n += 1) series = `${label.slice(0, KEY_CHARACTERS - 8)} (${n})`;
    taken.add(series);
    return { ...column, series };
  });
}
