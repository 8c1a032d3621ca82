import {
  labelOf,
  type OpenedText,
  type ParserSettings,
  type Proposal,
  type TextRecord,
} from '@catchment/delimited-text';
import { RepeatedRows } from '../domain/repeated-rows.ts';

/** Series of one write (docs/reference/writing.md#checks-before-the-answer). */
const SERIES_MAX = 100;
const ID_CHARACTERS = 255;
const SHOWN = 5;

/** A column of the sample. */
type Seen = {
  readonly at: number;
  readonly index: number;
  /** Distinct values, of at most SERIES_MAX + 1. */
  readonly values: Set<string>;
};

/**
 * A proposal for a file whose rows have one value each, with the name of its series: rows of one time would replace each other if each
 * column was a series (docs/reference/acquisition.md#text-parser, ROW).
 * @param open reads the sample with the parser of the proposal
 * @returns the proposal itself where columns are series
 */
export async function withRowSeries(proposal: Proposal, open: () => Promise<OpenedText>): Promise<Proposal> {
  const { parser } = proposal;
  if (parser.format === 'ROW') return proposal;
  const text = await open();
  const records: TextRecord[] = [];
  const collapsed = new RepeatedRows({ remembers: true });
  for await (const record of text.records()) {
    records.push(record);
    collapsed.add(record.timeMs, [0]);
  }
  if (collapsed.count === 0) return proposal;
  const own = (parser.columns ?? []).filter(({ type }) => type !== 'RECORD_TIME' && type !== 'DISABLED');
  const seen = text.series.map((_one, at): Seen => ({ at, index: own[at]?.index ?? -1, values: new Set() }));
  for (const { cells } of records)
    for (const { at, values } of seen) if (values.size <= SERIES_MAX) values.add(String(cells[at]?.value ?? ''));
  const typeOf = ({ at }: Seen) => text.series[at]?.type;
  for (const id of seen.filter((one) => typeOf(one) === 'TEXT')) {
    if (!mayBeIds(id.values) || !partsTimes(records, id)) continue;
    const numbers = seen.filter((one) => typeOf(one) === 'NUMBER' && changesWithin(records, id, one));
    const value = numbers.find(({ index }) => /value|wert|valeur/i.test(labelOf(text.layout, index))) ?? numbers[0];
    if (value) return rowsOf(proposal, { id, value, label: labelOf(text.layout, id.index) });
  }
  return proposal;
}

const mayBeIds = (values: ReadonlySet<string>): boolean =>
  values.size > 1 &&
  values.size <= SERIES_MAX &&
  [...values].every((one) => one !== '' && one === one.trim() && one.length <= ID_CHARACTERS);

const idOf = ({ cells }: TextRecord, { at }: Seen): string => String(cells[at]?.value ?? '');

/** No two rows of one time have one id. */
function partsTimes(records: readonly TextRecord[], id: Seen): boolean {
  const rows = new Set(records.map((record) => `${record.timeMs} ${idOf(record, id)}`));
  return rows.size === records.length;
}

/** A number that is the same in all rows of an id is of the series, and no value of it. */
function changesWithin(records: readonly TextRecord[], id: Seen, number: Seen): boolean {
  const first = new Map<string, unknown>();
  return records.some((record) => {
    const [key, value] = [idOf(record, id), record.cells[number.at]?.value];
    if (!first.has(key)) first.set(key, value);
    return first.get(key) !== value;
  });
}

function rowsOf(
  proposal: Proposal,
  { id, value, label }: { readonly id: Seen; readonly value: Seen; readonly label: string },
): Proposal {
  const ids = [...id.values];
  const rows = ({ unitsRow, columns = [], ...parser }: ParserSettings): ParserSettings => ({
    ...parser,
    // The lines before the data stay left out.
    ...(unitsRow !== undefined && { dataRow: Math.max(parser.dataRow ?? 0, unitsRow + 1) }),
    format: 'ROW',
    columns: columns.map(({ index, type, joins }) => {
      if (type === 'RECORD_TIME') return { index, type, ...(joins && { joins }) };
      return { index, type: index === id.index ? 'SERIES_ID' : index === value.index ? 'VALUE' : 'DISABLED' };
    }),
    rowSeries: ids.map((seriesId) => ({ seriesId, type: 'NUMBER' })),
  });
  const more = ids.length > SHOWN ? ' …' : '';
  const why = `Each row is a value of the series that column '${label}' names: ${ids.slice(0, SHOWN).join(', ')}${more}. Rows of other names are ignored until they are added to rowSeries.`;
  const readings = proposal.readings?.map((one) => ({ ...one, parser: rows(one.parser) }));
  return { ...proposal, parser: rows(proposal.parser), ...(readings && { readings }), why: `${proposal.why} ${why}` };
}
