import type { CsvOptions, SeriesView } from '../../columns/index.ts';
import type { RecordSet } from '../../records/index.ts';
import type { Answer } from './answer.ts';
import type { TableColumn } from './column-table.ts';

/** Arrow and Parquet have such columns (docs/reference/formats.md#arrow). */
export type Field = {
  readonly name: string;
  /** Index in `columns` of the table; -1 = the times of the rows. */
  readonly column: number;
  readonly type: 'NUMBER' | 'TEXT' | 'TIME' | 'CODE';
  readonly metadata: Readonly<Record<string, string>>;
  /** NaN = null. Not called for TEXT. */
  readonly number: (records: RecordSet, index: number) => number;
  readonly text: (records: RecordSet, index: number) => string | undefined;
};

const TIMES: Field = {
  name: 'time',
  column: -1,
  type: 'TIME',
  metadata: {},
  number: ({ times }, index) => times[index] ?? Number.NaN,
  text: () => undefined,
};

/** Returns the fields of an answer, the times of its rows first. */
export function fieldsOf({ table, query }: Answer): Field[] {
  const names = uniqueNames(table.columns, '.');
  return [TIMES, ...table.columns.flatMap(({ view }, n) => fieldsOfColumn(view, names[n] ?? '', n, query.csv))];
}

/** Returns the id of each node; the second time with `.2` behind it, where that is the separator. */
export function uniqueNames(columns: readonly Pick<TableColumn, 'view'>[], separator: string): string[] {
  const seen = new Map<string, number>();
  return columns.map(({ view: { node } }) => {
    const count = (seen.get(node.nodeId) ?? 0) + 1;
    seen.set(node.nodeId, count);
    return count === 1 ? node.nodeId : `${node.nodeId}${separator}${count}`;
  });
}

function fieldsOfColumn(view: SeriesView, name: string, column: number, asked: CsvOptions): Field[] {
  const { nodeId } = view.node;
  const place = { column, number: view.number, text: view.text };
  const described = (part: string) => ({ column: String(column), part, node: nodeId });
  const values: Field[] =
    view.kind === 'COORDINATES'
      ? (['latitude', 'longitude'] as const).map((part, n) => ({
          ...place,
          type: 'NUMBER',
          name: `${name}.${part}`,
          metadata: { ...described(part), ...about(view) },
          number: (records, index) => view.number(records, index, n as 0 | 1),
        }))
      : [{ ...place, type: view.kind, name, metadata: { ...described('value'), ...about(view) } }];
  if (asked.quality !== 'NONE')
    values.push({
      ...place,
      type: 'CODE',
      name: `${name}.quality`,
      metadata: described('quality'),
      number: ({ qualities }, index) => {
        const code = qualities[index] ?? -1;
        return code < 0 ? Number.NaN : code;
      },
    });
  if (asked.annotation !== 'NONE')
    values.push({
      ...place,
      type: 'TEXT',
      name: `${name}.annotation`,
      metadata: described('annotation'),
      text: ({ annotations }, index) => annotations.get(index),
    });
  return values;
}

function about(view: SeriesView): Record<string, string> {
  const { node, dataType, renderType, aggregate, intervals, isRelative } = view;
  const shown = Object.entries(intervals ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    name: node.name,
    path: node.path,
    units: node.series.units,
    type: dataType,
    renderType,
    aggregate,
    ...Object.fromEntries(shown),
    ...(isRelative && { baselineType: 'RELATIVE' }),
  };
}

/** Describes the answer as a whole. */
export function answerMetadata({ table, head, query: { zone } }: Answer): Record<string, string> {
  const shown = (ms: number | null) => (ms === null ? '' : zone.formatIso(ms));
  const common = (values: readonly (string | undefined)[], name: string): Record<string, string> => {
    const [first] = values;
    return first !== undefined && values.every((value) => value === first) ? { [name]: first } : {};
  };
  return {
    timezone: zone.name,
    startTime: shown(head.startMs),
    endTime: shown(head.endMs),
    recordCount: String(table.times.length),
    ...common(
      table.columns.map(({ view }) => view.aggregate),
      'aggregate',
    ),
    ...common(
      table.columns.map(({ view }) => view.intervals?.interval),
      'interval',
    ),
    ...(head.next !== undefined && { next: head.next }),
  };
}
