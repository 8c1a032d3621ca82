import {
  labelOf,
  type OpenedText,
  type ParserSettings,
  type Proposal,
  type TextRecord,
} from '@catchment/delimited-text';
import { COLUMNS_MAX } from '@catchment/ids';
import { RepeatedRows } from '../domain/repeated-rows.ts';
import { idOf, partsTimes, type Sample, type Seen, SHOWN } from './proposal-sample.ts';
import { arrayIds, filteredSeries } from './propose-filters.ts';

const ID_CHARACTERS = 255;

/** These labels name the series of a row, where each row has its own time too. */
const SERIES_LABEL = /^(?:entity_?id|series|parameter|variable|metric|channel|tag|topic|_?field|key)(?:[ _-]?name)?$/i;

/**
 * Returns a proposal for a file whose rows have one value each, with the name of its series: rows of one time would replace each other if
 * each column was a series (docs/reference/acquisition.md#text-parser, ROW).
 * @param open reads the sample
 * @returns the proposal itself where columns are series
 */
export async function withRowSeries(
  proposal: Proposal,
  open: (parser: ParserSettings) => Promise<OpenedText>,
): Promise<Proposal> {
  if (proposal.parser.format === 'ROW') return proposal;
  const first = await sampleOf(await open(proposal.parser));
  // Numbers are read as texts: an id may have leading zeros.
  const parser = withTextIds(proposal.parser, first);
  const sample = parser ? await sampleOf(await open(parser)) : first;
  const { text, seen, records, areCollapsed } = sample;
  const typeOf = ({ at }: Seen) => text.series[at]?.type;
  for (const id of seen.filter((other) => typeOf(other) === 'TEXT')) {
    const label = labelOf(text.layout, id.index);
    const isOfSeries = SERIES_LABEL.test(label) && id.values.size * 2 <= records.length;
    if ((!areCollapsed && !isOfSeries) || !mayBeIds(id.values) || !partsTimes(records, id)) continue;
    const numbers = seen.filter((other) => typeOf(other) === 'NUMBER' && changesWithin(records, id, other));
    const value = numbers.find(({ index }) => /value|wert|valeur|^state$/i.test(labelOf(text.layout, index)));
    if (value || numbers.length === 1) return rowsOf(proposal, { id, value: value ?? numbers[0]!, label });
    const filtered = areCollapsed ? filteredSeries(proposal, sample, id) : undefined;
    if (filtered) return filtered;
  }
  const array = arrayIds(sample);
  return (array && filteredSeries(proposal, sample, array)) ?? proposal;
}

async function sampleOf(text: OpenedText): Promise<Sample> {
  const records: TextRecord[] = [];
  const collapsed = new RepeatedRows({ remembers: true });
  for await (const record of text.records()) {
    records.push(record);
    collapsed.add(record.timeMs, [0]);
  }
  const columns = text.layout.columns.filter(({ type }) => type !== 'RECORD_TIME' && type !== 'DISABLED');
  const seen = text.series.map((_one, at): Seen => ({ at, index: columns[at]?.index ?? -1, values: new Set() }));
  for (const { cells } of records)
    for (const { at, values } of seen) if (values.size <= COLUMNS_MAX) values.add(String(cells[at]?.value ?? ''));
  return { text, records, seen, areCollapsed: collapsed.count > 0 };
}

/** Adds the numbers that name the logger or the sensor of a row. @returns undefined: there are none */
function withTextIds(parser: ParserSettings, { text, seen, areCollapsed }: Sample): ParserSettings | undefined {
  const ids = new Set(
    seen.flatMap(({ at, index, values }) => {
      const isId = ID_LABEL.test(text.layout.labels[index] ?? '') && [...values].every((value) => /^\d+$/.test(value));
      return areCollapsed && text.series[at]?.type === 'NUMBER' && isId && values.size > 1 ? [index] : [];
    }),
  );
  if (ids.size === 0) return undefined;
  const columns = (parser.columns ?? []).map((column) =>
    ids.has(column.index) ? { ...column, type: 'TEXT' as const } : column,
  );
  return { ...parser, columns };
}
const ID_LABEL =
  /^(?=.)(?:site|station|stn|logger|device|node|sensor|location|meter|channel|probe|serial|array)?[ _-]?(?:id|no|nr|number|code|serial)?\.?$/i;

const mayBeIds = (values: ReadonlySet<string>): boolean =>
  values.size > 1 &&
  values.size <= COLUMNS_MAX &&
  [...values].every((value) => value !== '' && value === value.trim() && value.length <= ID_CHARACTERS);

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
  const readings = proposal.readings?.map((reading) => ({ ...reading, parser: rows(reading.parser) }));
  return { ...proposal, parser: rows(proposal.parser), ...(readings && { readings }), why: `${proposal.why} ${why}` };
}
