import { labelOf, type ParserSettings, type Proposal, type TextRecord } from '@catchment/delimited-text';
import { COLUMNS_MAX } from '@catchment/ids';
import { partsTimes, type Sample, type Seen, SHOWN } from './proposal-sample.ts';

type Column = NonNullable<ParserSettings['columns']>[number];
const KEY_CHARACTERS = 255;
/** A Campbell logger's output arrays. */
const ARRAYS_MAX = 20;

/**
 * Finds the column before the time whose number says what the others of a row are, as in the output arrays of older
 * Campbell loggers: rows of one number have one set of columns, and rows of others have others, or the same time.
 */
export function arrayIds({ text, records, seen, areCollapsed }: Sample): Seen | undefined {
  const time = text.layout.columns.find(({ type }) => type === 'RECORD_TIME')?.index ?? 0;
  const [first] = seen;
  if (first?.index !== 0 || time !== 1 || text.layout.labels.some((label) => label !== '')) return undefined;
  const areIds = [...first.values].every((value) => /^\d{1,4}$/.test(value));
  if (!areIds || first.values.size < 2 || first.values.size > ARRAYS_MAX) return undefined;
  const filled = new Map<string, Set<number>>();
  for (const { cells } of records) {
    const key = String(cells[first.at]?.value);
    filled.set(key, (filled.get(key) ?? new Set<number>()).add(cells.findLastIndex((cell) => cell !== undefined)));
  }
  const sets = [...filled.values()];
  const areSteady = sets.every((set) => set.size <= 2);
  const areOthers = new Set(sets.map((set) => [...set].join())).size > 1;
  return areSteady && (areOthers || (areCollapsed && partsTimes(records, first))) ? first : undefined;
}

/**
 * Proposes series for each id that a column has: a filter leaves out the rows of other ids, and rows of one time stay apart.
 * @returns undefined: there would be more series than a file may have
 */
export function filteredSeries(proposal: Proposal, { text, records, seen }: Sample, id: Seen): Proposal | undefined {
  const label = labelOf(text.layout, id.index);
  const ids = [...id.values];
  const columnsFor = ({ columns = [] }: ParserSettings): Column[] =>
    columns.flatMap((column): Column[] => {
      const sight = seen.find(({ index }) => index === column.index);
      if (column.type === 'RECORD_TIME' || column.type === 'DISABLED' || !sight) return [column];
      if (sight === id) return [{ index: column.index, type: 'DISABLED' }];
      return ids
        .filter((key) => hasValue(records, { id, key, other: sight }))
        .map((key) => ofId(column, id.index, key));
    });
  const parsed = (parser: ParserSettings): ParserSettings => ({ ...parser, columns: columnsFor(parser) });
  const parser = parsed(proposal.parser);
  const count = (parser.columns ?? []).filter(({ type }) => type !== 'RECORD_TIME' && type !== 'DISABLED').length;
  if (count === 0 || count > COLUMNS_MAX) return undefined;
  const more = ids.length > SHOWN ? ' …' : '';
  const why = `Rows are of several loggers or arrays, which column '${label}' tells apart: ${ids.slice(0, SHOWN).join(', ')}${more}. Each has series of its own, by a filter of its columns; rows of others are ignored until series with their filter are added.`;
  const readings = proposal.readings?.map((reading) => ({ ...reading, parser: parsed(reading.parser) }));
  return { ...proposal, parser, ...(readings && { readings }), why: `${proposal.why} ${why}` };
}

const hasValue = (
  records: readonly TextRecord[],
  { id, key, other }: { readonly id: Seen; readonly key: string; readonly other: Seen },
): boolean => records.some(({ cells }) => String(cells[id.at]?.value ?? '') === key && cells[other.at] !== undefined);

function ofId(column: Column, index: number, key: string): Column {
  const { type, series = '' } = column;
  const joins = column.joins ?? (type === 'NUMBER' || type === 'BOOLEAN' || type === 'TEXT' ? [{ field: type }] : []);
  // A join of another type than the value only filters.
  const field = type === 'TEXT' ? 'NUMBER' : 'TEXT';
  return {
    ...column,
    series: `${key} ${series}`.slice(0, KEY_CHARACTERS),
    joins: [...joins, { column: index, field, format: key, filter: 'INCLUDE_FIELD' }],
  };
}
