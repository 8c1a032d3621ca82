import { type EffectiveZone, formatIsoMs } from '@catchment/time';
import {
  type Bind,
  binder,
  type Columns,
  type Resolved,
  resolveColumn,
  type ScalarColumn,
  type TimeStore,
} from './columns.ts';
import { type Criterion, type Filter, type FilterOperator, invalidFilter } from './filter.ts';
import {
  convert,
  endOfPattern,
  isNull,
  likePattern,
  matcher,
  tryConvert,
  type ValueType,
  wholePattern,
  writtenType,
} from './operand.ts';
import { type Part, partsOf } from './parts.ts';

export interface CompileOptions {
  /** Times without a zone are in this one; UTC when absent. */
  readonly zone?: EffectiveZone;
  /** Returns the SQL of the id of the node that a customId names within the caller's scope; NULL when it names none. */
  readonly nodeIdOf?: (customId: string, bind: Bind) => string;
}

const COMPARISON: Record<Exclude<FilterOperator, '$match' | '$like' | '$ne'>, string> = {
  $eq: '=',
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
};

/** The expression is NULL when the attribute is absent or of another type, and the operand is a value of its type. */
interface Comparable extends Part {
  readonly value: number | string | boolean;
}

/**
 * Writes a filter as a boolean SQL expression (docs/reference/query-arguments.md#filter). Operands become parameters (`$n`, pushed
 * to `params`), never text.
 * @throws DomainError invalid_argument: wrong operand or operator for the attribute's type, attribute not filterable
 */
export function compileFilter(
  filter: Filter,
  columns: Columns,
  params: unknown[],
  options: CompileOptions = {},
): string {
  if (filter.length === 0) return 'TRUE';
  const bind = binder(params);
  const terms = filter.map((criteria) =>
    criteria.map((criterion) => compileCriterion(criterion, columns, bind, options)).join(' AND '),
  );
  return terms.length === 1 ? `(${terms[0]})` : `(${terms.map((term) => `(${term})`).join(' OR ')})`;
}

function compileCriterion(
  criterion: Criterion,
  columns: Columns,
  bind: Bind,
  { zone, nodeIdOf }: CompileOptions,
): string {
  const resolved = resolveColumn(columns, criterion.path, bind, 'filterable');
  if (resolved === 'hidden') throw invalidFilter(`must not use ${criterion.path}`);
  const { operator } = criterion;
  if (resolved === undefined)
    return operator === '$ne' ? bool(!isNull(criterion)) : bool(operator === '$eq' && isNull(criterion));
  if (isNull(criterion) && (operator === '$eq' || operator === '$ne')) return compileNull(resolved, operator);
  if (resolved.column.type === 'string' && resolved.column.words)
    return compileWords(resolved.column.sql, resolved.column.words, criterion, bind);

  if (operator === '$like' && resolved.column.type === 'string' && resolved.column.lastName !== undefined)
    return compilePath(resolved.column.sql, resolved.column.lastName, String(convert(criterion, 'string', zone)), bind);

  if (nodeIdOf && isCustomId(resolved.column, criterion))
    return compileCustomId(resolved.column, criterion, nodeIdOf(criterion.operand.text.slice(1), bind));

  const comparables = comparablesOf(resolved, criterion, zone);
  const { each } = resolved.column;
  const conditionOf = (positive: Exclude<FilterOperator, '$ne'>) =>
    anyOf(comparables.map((comparable) => compare(comparable, positive, criterion, bind)));
  if (operator === '$ne') {
    const equal = conditionOf('$eq');
    return each === undefined ? `(${equal}) IS NOT TRUE` : `NOT ${exists(each, equal)}`;
  }
  const condition = each === undefined ? conditionOf(operator) : exists(each, conditionOf(operator));
  return resolved.column.only === undefined ? condition : `(${resolved.column.only} AND ${condition})`;
}

/** The operand is compared with the words here; an index serves the rest. */
function compileWords(sql: string, words: ReadonlyMap<string, string>, criterion: Criterion, bind: Bind): string {
  const { operator, path } = criterion;
  const operand = String(convert(criterion, 'string', undefined));
  if (!isAllowed(operator, 'string')) throw notComparable(operator, path);
  const fits = isText(operator) ? matcher(operand, operator === '$like') : (word: string) => word === operand;
  const stored = [...words].filter(([word]) => fits(word)).map(([, of]) => of);
  const any = stored.length === 0 ? 'FALSE' : `(${sql}) = ANY(${bind(stored)}::text[])`;
  return operator === '$ne' ? `(${any}) IS NOT TRUE` : any;
}

/** A path, or the end of one from a name on; names that the end of the pattern does not fit need no path. */
function compilePath(sql: string, lastName: string, pattern: string, bind: Bind): string {
  const whole = wholePattern(pattern.startsWith('/') ? pattern : `*/${pattern}`);
  const fits = `('/' || (${sql})) ILIKE ${bind(whole)}::text`;
  const end = endOfPattern(pattern);
  return end === '' ? fits : `(${lastName} ILIKE ${bind(wholePattern(`*${end}`))}::text AND ${fits})`;
}

const isText = (operator: FilterOperator): operator is '$match' | '$like' =>
  operator === '$match' || operator === '$like';

/** Returns whether a criterion names a node by `@customId`. */
export const isCustomId = (column: Resolved['column'], criterion: Criterion): column is ScalarColumn => {
  const written = writtenType(criterion);
  if (column.type !== 'objectId' || !column.isNodeId || !criterion.operand.text.startsWith('@')) return false;
  return written === undefined || written === 'objectId';
};

/** A customId that names no node matches nothing, with `$ne` neither: a slip of the pen must not select everything. */
function compileCustomId({ sql, each, only }: ScalarColumn, { operator, path }: Criterion, nodeId: string): string {
  if (!isAllowed(operator, 'objectId')) throw notComparable(operator, path);
  const equal = `(${sql}) = ${nodeId}`;
  const found = each === undefined ? equal : exists(each, equal);
  if (operator === '$ne') return `(${nodeId} IS NOT NULL AND (${found}) IS NOT TRUE)`;
  return only === undefined ? found : `(${only} AND ${found})`;
}

const bool = (value: boolean): string => (value ? 'TRUE' : 'FALSE');
const exists = (each: string, condition: string): string => `EXISTS (SELECT 1 FROM ${each} WHERE ${condition})`;
const anyOf = (conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions[0]! : `(${conditions.join(' OR ')})`;

/** Absent, null and empty are one. */
function compileNull({ column }: Resolved, operator: '$eq' | '$ne'): string {
  const any = column.type === 'variable' ? column.any : undefined;
  const present = any === undefined ? anyOf(partsOf(column).map(isPresent)) : `(${any}) IS NOT NULL`;
  const found = column.each === undefined ? `(${present})` : exists(column.each, present);
  return operator === '$eq' ? `${found} IS NOT TRUE` : `${found} IS TRUE`;
}

const isPresent = ({ sql, type }: Part): string =>
  type === 'string' || type === 'objectId' ? `(${sql}) <> ''` : `(${sql}) IS NOT NULL`;

function comparablesOf(
  { column, undeclared }: Resolved,
  criterion: Criterion,
  zone: EffectiveZone | undefined,
): Comparable[] {
  const parts = partsOf(column);
  if (column.type !== 'variable') {
    return parts.map((part) => ({ ...part, value: convert(criterion, part.type, zone) }));
  }
  const written = writtenType(criterion);
  if (written !== undefined) {
    const value = convert(criterion, written, zone);
    const stored = written === 'objectId' ? 'string' : written;
    const part = parts.find(({ type }) => type === stored) ?? { sql: 'NULL', type: stored };
    return [{ ...part, value }];
  }
  if (!undeclared) {
    throw invalidFilter(`must give a type, such as Number(5), to the value compared with ${criterion.path}`);
  }
  return untypedComparables(parts, criterion, zone);
}

/** Inside documents the stored value decides the type: every reading of the operand that makes sense is compared. */
function untypedComparables(
  parts: readonly Part[],
  criterion: Criterion,
  zone: EffectiveZone | undefined,
): Comparable[] {
  const comparables = parts.flatMap((part) => {
    const value = isAllowed(criterion.operator, part.type)
      ? tryConvert(criterion.operand.text, part.type, zone)
      : undefined;
    return value === undefined ? [] : [{ ...part, value }];
  });
  if (comparables.length === 0) {
    throw invalidFilter(`must compare ${criterion.path} with a number or an ISO 8601 timestamp`);
  }
  return comparables;
}

function isAllowed(operator: FilterOperator, type: ValueType): boolean {
  if (operator === '$eq' || operator === '$ne') return true;
  return isText(operator) ? type === 'string' : type === 'number' || type === 'time';
}

function compare(
  { sql, type, store, value }: Comparable,
  operator: Exclude<FilterOperator, '$ne'>,
  { path }: Criterion,
  bind: Bind,
): string {
  if (!isAllowed(operator, type)) throw notComparable(operator, path);
  if (isText(operator)) {
    const pattern = (operator === '$match' ? likePattern : wholePattern)(String(value));
    return `(${sql}) ILIKE ${bind(pattern)}::text`;
  }
  const left = type === 'time' && store === 'text' ? `(${sql}) COLLATE "C"` : `(${sql})`;
  return `${left} ${COMPARISON[operator]} ${placeholder(value, type, store, bind)}`;
}

const notComparable = (operator: FilterOperator, path: string) =>
  invalidFilter(`must use ${operator} on ${isText(operator) ? 'texts' : 'numbers and times'} only, not on ${path}`);

function placeholder(
  value: number | string | boolean,
  type: ValueType,
  store: TimeStore | undefined,
  bind: Bind,
): string {
  switch (type) {
    case 'number':
      return `${bind(value)}::double precision`;
    case 'boolean':
      return `${bind(value)}::boolean`;
    case 'time':
      if (store === 'ms') return `${bind(value)}::double precision`;
      return `${bind(formatIsoMs(Number(value)))}::${store === 'text' ? 'text' : 'timestamptz'}`;
    case 'string':
    case 'objectId':
      return `${bind(value)}::text`;
  }
}
