import { invalid } from '@catchment/errors';
import { parseNodeRef, textProblem } from '@catchment/ids';
import { generateName, nameKey } from '../../domain/body/names.ts';
import { MAX_PARAMETERS_PER_SOURCE } from '../../domain/classes/containment.ts';

/** A column of a data source write (docs/reference/writing.md#data-source-writes). */
export type Column = {
  /** Public index, for refusals. */
  readonly index: number;
  readonly id: string;
  readonly series: string;
  readonly name: string;
  readonly dataType: string;
  readonly units: string;
};

/** Matching needs this of a parameter under the source. */
export type Candidate = {
  readonly nodeId: string;
  readonly customId: string | null;
  readonly name: string;
  readonly seriesKey: string | null;
};

export type NewParameter = {
  readonly class: 'point.NumberPoint' | 'point.TextPoint' | 'point.TimePoint';
  readonly isBoolean: boolean;
  readonly name: string;
  readonly seriesKey: string;
  readonly units: string;
};

/** The outcome of one column. */
type Match =
  | { readonly kind: 'found'; readonly nodeId: string }
  /** The parameter takes the key over: it had none. */
  | { readonly kind: 'adopted'; readonly nodeId: string; readonly seriesKey: string }
  /** Index into `created`: columns with the same key share a parameter. */
  | { readonly kind: 'created'; readonly at: number };

/** Columns of a source may conflict with these other nodes of the account. */
type Surroundings = {
  /** These ids and customIds (with `@`) given by columns belong to parameters of other sources. */
  readonly foreignRefs: ReadonlySet<string>;
  /** This Location takes coordinates from the source. */
  readonly locationId: string | undefined;
};

export type Plan = { readonly matches: readonly Match[]; readonly created: readonly NewParameter[] };

const CLASS_OF = {
  '': 'point.NumberPoint',
  NUMBER: 'point.NumberPoint',
  VALUE: 'point.NumberPoint',
  BOOLEAN: 'point.NumberPoint',
  TEXT: 'point.TextPoint',
  TIME: 'point.TimePoint',
} as const;

const MAX_KEY = 255;
const MAX_UNITS = 30;

const refuse = (column: Column, rule: string) =>
  invalid('INVALID_COLUMN', `header.columns.${column.index}${rule.startsWith('.') ? '' : ': '}${rule}`);

/**
 * Finds, adopts or plans the parameter of each column (docs/reference/writing.md#data-source-writes, rules 2-6).
 * @param parameters those directly under the source
 * @throws DomainError invalid_argument naming the column
 */
export function matchColumns(
  parameters: readonly Candidate[],
  columns: readonly Column[],
  { foreignRefs, locationId }: Surroundings,
): Plan {
  const bySeries = new Map(
    parameters.flatMap((parameter) => (parameter.seriesKey === null ? [] : [[parameter.seriesKey, parameter.nodeId]])),
  );
  const byName = new Map(
    parameters.flatMap((parameter) =>
      parameter.seriesKey === null ? [[nameKey(parameter.name), parameter.nodeId] as const] : [],
    ),
  );
  const taken = new Set(parameters.map(({ name }) => nameKey(name)));
  const created: NewParameter[] = [];
  const createdByKey = new Map<string, number>();

  const matches = columns.map((column): Match => {
    const byId = column.id === '' ? undefined : findById(parameters, column.id);
    if (byId !== undefined) return { kind: 'found', nodeId: byId };
    const key = column.series || column.name;
    if (foreignRefs.has(column.id) || (column.id !== '' && !key))
      throw refuse(column, '.id: must be a parameter directly under this data source');
    if (!key) throw refuse(column, 'id, series or name is required');
    if (column.dataType.toUpperCase() === 'COORDINATES' && locationId !== undefined)
      return { kind: 'found', nodeId: locationId };
    if ([...key].length > MAX_KEY || key.includes('\0') || !key.isWellFormed())
      throw refuse(column, `series or name must be well-formed text of at most ${MAX_KEY} characters`);
    const found = bySeries.get(key);
    if (found !== undefined) return { kind: 'found', nodeId: found };
    const again = createdByKey.get(key);
    if (again !== undefined) return { kind: 'created', at: again };
    const adopted = byName.get(nameKey(key.trim()));
    if (adopted !== undefined) {
      bySeries.set(key, adopted);
      byName.delete(nameKey(key.trim()));
      return { kind: 'adopted', nodeId: adopted, seriesKey: key };
    }
    if (parameters.length + created.length >= MAX_PARAMETERS_PER_SOURCE)
      throw refuse(column, `a data source may have at most ${MAX_PARAMETERS_PER_SOURCE} parameters`);
    const parameter = newParameter(column, key, taken);
    taken.add(nameKey(parameter.name));
    createdByKey.set(key, created.length);
    return { kind: 'created', at: created.push(parameter) - 1 };
  });
  return { matches, created };
}

function findById(parameters: readonly Candidate[], id: string): string | undefined {
  const ref = parseNodeRef(id);
  if (ref?.kind === 'id') return parameters.find(({ nodeId }) => nodeId === ref.id)?.nodeId;
  return ref && parameters.find(({ customId }) => customId === ref.customId)?.nodeId;
}

function newParameter(column: Column, key: string, taken: ReadonlySet<string>): NewParameter {
  const type = column.dataType.toUpperCase();
  if (!Object.hasOwn(CLASS_OF, type))
    throw refuse(column, '.dataType: must be one of NUMBER, TEXT, TIME, BOOLEAN, VALUE');
  if ([...column.units].length > MAX_UNITS)
    throw refuse(column, `.units: must be a text of at most ${MAX_UNITS} characters`);
  const [ofKey, ofUnits] = [textProblem(key), textProblem(column.units)];
  if (ofKey) throw refuse(column, `series or name ${ofKey}`);
  if (ofUnits) throw refuse(column, `.units: ${ofUnits}`);
  return {
    class: CLASS_OF[type as keyof typeof CLASS_OF],
    isBoolean: type === 'BOOLEAN',
    name: generateName(column.name || key, taken),
    seriesKey: key,
    units: column.units,
  };
}
