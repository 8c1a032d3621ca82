/** An attribute for filter and sort. All SQL is written by the service and trusted; it must be NULL for an absent attribute. */
interface ColumnBase {
  /**
   * This FROM item makes the attribute an array, for example `jsonb_array_elements(n.states) AS e`; the column's SQL is
   * then about one element (`e->>'name'`).
   */
  readonly each?: string;
  /** Refused with 400 in filters. */
  readonly filterable?: false;
  /** Refused with 400 in sort. */
  readonly sortable?: false;
  /** Every row with the attribute meets this cheap condition: other rows are skipped. */
  readonly only?: string;
}

export interface ScalarColumn extends ColumnBase {
  readonly type: 'number' | 'string' | 'boolean' | 'objectId';
  readonly sql: string;
  /**
   * The text can have all these values, as shown, each with its value of `sql`, in the same order of code points.
   * Filters then look for the stored values that fit, by whatever index `sql` has.
   */
  readonly words?: ReadonlyMap<string, string>;
  /** This SQL gives the last name in a text that is a path of names, parted by `/`; most paths then need not be made. */
  readonly lastName?: string;
  /** The objectId is a node's, so that an operand may be `@customId` too. */
  readonly isNodeId?: true;
}

/** An instant has such a form in an expression: UTC milliseconds as a number, or text as the API prints it (`…T22:38:10.000Z`). */
export type TimeStore = 'timestamptz' | 'ms' | 'text';

export interface TimeColumn extends ColumnBase {
  readonly type: 'time';
  readonly sql: string;
  /** `timestamptz` when absent. */
  readonly store?: TimeStore;
}

/** The values of the attribute differ in type from row to row: one expression per type, NULL when the value has another. */
export interface VariableColumn extends ColumnBase {
  readonly type: 'variable';
  readonly number?: string;
  readonly string?: string;
  readonly boolean?: string;
  readonly time?: { readonly sql: string; readonly store: TimeStore };
  /** The column is not NULL when there is any value, where some have a type that no operand has. Such values never match. */
  readonly any?: string;
}

/** A JSON document: declared as `config`, it answers for every undeclared `config.…`; declared as `*`, for all others. */
interface JsonbColumn extends ColumnBase {
  readonly type: 'jsonb';
  readonly sql: string;
}

/** This attribute may only be refused, for example a secret inside a document. */
interface HiddenColumn {
  readonly type: 'hidden';
}

export type ColumnDef = ScalarColumn | TimeColumn | VariableColumn | JsonbColumn | HiddenColumn;
export type Columns = Readonly<Record<string, ColumnDef>>;

/**
 * Returns the expressions of a variable attribute that is stored as JSON: number, string and boolean as such, a time as
 * `{"$time": "<ISO>"}` in UTC with three decimals. No stored value makes them fail.
 */
export function jsonbVariable(sql: string): VariableColumn {
  const ofType = (type: string, value: string) => `(CASE WHEN jsonb_typeof(${sql}) = '${type}' THEN ${value} END)`;
  return {
    type: 'variable',
    number: ofType('number', `(${sql})::numeric`),
    string: ofType('string', `(${sql}) #>> '{}'`),
    boolean: ofType('boolean', `(${sql})::boolean`),
    time: { sql: ofType('object', `(${sql}) ->> '$time'`), store: 'text' },
  };
}

export interface Resolved {
  readonly column: Exclude<ColumnDef, JsonbColumn | HiddenColumn>;
  /** Found inside a document: its type is not declared. */
  readonly undeclared: boolean;
}

/** Takes a value, answers its placeholder. */
export type Bind = (value: unknown) => string;

export const binder =
  (params: unknown[]): Bind =>
  (value) =>
    `$${params.push(value)}`;

/**
 * The declared column of a dotted path, or a place inside a declared document. Undefined for unknown attributes, 'hidden'
 * for those that are refused.
 */
export function resolveColumn(
  columns: Columns,
  path: string,
  bind: Bind,
  use: 'filterable' | 'sortable',
): Resolved | 'hidden' | undefined {
  const names = path.split('.');
  for (let length = names.length; length >= 0; length--) {
    const key = length === 0 ? '*' : names.slice(0, length).join('.');
    const column = Object.hasOwn(columns, key) ? columns[key] : undefined;
    if (column === undefined || (length > 0 && length < names.length && !isDocument(column))) continue;
    if (column.type === 'hidden' || column[use] === false) return 'hidden';
    if (column.type !== 'jsonb') return { column, undeclared: false };
    return { column: insideDocument(column.sql, names.slice(length), bind), undeclared: true };
  }
  return undefined;
}

/** A hidden or refused prefix hides everything below it. */
const isDocument = (column: ColumnDef): boolean => column.type === 'jsonb' || column.type === 'hidden';

const ISO_TEXT = "'^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'";

/**
 * Lax paths reach through arrays on the way; the last `[*]` opens an array at the end and leaves a scalar alone. A text
 * that looks like a printed time is a time too, since its type is not declared.
 */
function insideDocument(sql: string, names: readonly string[], bind: Bind): VariableColumn {
  const path = `$${names.map((name) => `.${JSON.stringify(name)}`).join('')}[*]`;
  const text = "(element #>> '{}')";
  return {
    ...jsonbVariable('element'),
    time: { sql: `(CASE WHEN ${text} ~ ${ISO_TEXT} THEN ${text} ELSE element ->> '$time' END)`, store: 'text' },
    each: `jsonb_path_query(${sql}, ${bind(path)}::jsonpath) AS element`,
  };
}
