import type { ColumnDef } from '@catchment/query';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { isJsonObject } from '../../domain/body/rule.ts';
import { alarmClass, alarmConfig } from '../../domain/classes/alarm-config.ts';
import { type ChartSubject, chartView } from '../../domain/classes/chart.ts';
import { ALL_CLASSES } from '../../domain/classes/class-table.ts';
import type { NodeClass } from '../../domain/classes/node-class.ts';

// Configuration is stored sparsely: what filters and sort see of it has the defaults that documents show.

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const json = (value: unknown): string => `${literal(JSON.stringify(value))}::jsonb`;

/** Returns an own JSON value over its default: objects attribute by attribute, anything else as a whole. */
const withDefault = (stored: string, fallback: unknown): string =>
  isJsonObject(fallback)
    ? `(${json(fallback)} || coalesce(${stored}, '{}'))`
    : `coalesce(${stored}, ${json(fallback)})`;

/** Returns a table attribute as JSON; NULL on classes that lack it. @param having the classes that have it */
export function ownOrDefault(name: string, having: readonly NodeClass[], names: ClassNames): string {
  const defaults = having.flatMap((cls): [string, unknown][] => {
    const { default: fallback, view } = cls.attributes[name]!;
    return fallback === null ? [] : [[cls.name, view ? view(fallback as never, names) : fallback]];
  });
  const stored = `(n.config -> ${literal(name)})`;
  if (defaults.length === 0) return stored;
  const fallback = `(${json(Object.fromEntries(defaults))} -> n.class)`;
  const either = `coalesce(${stored}, ${fallback})`;
  if (!defaults.some(([, value]) => isJsonObject(value))) return either;
  return `(CASE jsonb_typeof(${fallback}) WHEN 'object' THEN ${fallback} || coalesce(${stored}, '{}') ELSE ${either} END)`;
}

export const classesOf = (classes: readonly NodeClass[]): string =>
  `n.class IN (${classes.map(({ name }) => literal(name)).join(', ')})`;

/** Returns class, config and status of every alarm, of nodes whose class has it. */
export function alarmColumns(names: ClassNames): Record<string, ColumnDef> {
  const columns: Record<string, ColumnDef> = {};
  for (const type of new Set(ALL_CLASSES.flatMap(({ alarms }) => alarms))) {
    const has = classesOf(ALL_CLASSES.filter(({ alarms }) => alarms.includes(type)));
    const where = (sql: string) => `(CASE WHEN ${has} THEN ${sql} END)`;
    const [status, config] = [`a.alarms -> ${literal(type)}`, alarmConfig(type, {})];
    const at = `alarms.${type}`;
    columns[`${at}._class`] = { type: 'string', sql: where(literal(alarmClass(type, names))) };
    if (config) {
      const sql = where(withDefault(`n.config -> 'alarms' -> ${literal(type)}`, config));
      columns[`${at}.config`] = { type: 'jsonb', sql };
    }
    const alarmState = where(`coalesce(${status} ->> 'alarmState', 'CLEARED')`);
    columns[`${at}.status.alarmState`] = { type: 'string', sql: alarmState };
    for (const name of ['message', 'categoryId', 'acknowledgeUsername', 'acknowledgeComment'])
      columns[`${at}.status.${name}`] = { type: 'string', sql: `(${status} ->> ${literal(name)})` };
    for (const name of ['activeTime', 'acknowledgeTime'])
      columns[`${at}.status.${name}`] = { type: 'time', store: 'ms', sql: `(${status} ->> ${literal(name)})::bigint` };
  }
  return columns;
}

/** Chart settings of parameters, whose defaults follow series type, family and displayType. @param subjects by class */
export function chartColumn(subjects: readonly (readonly [string, ChartSubject])[], names: ClassNames): ColumnDef {
  const stored = `(n.config -> 'chart')`;
  const viewOf = (subject: ChartSubject, type: 'LineChart' | 'ColumnChart'): string => {
    const { aggregation, ...rest } = chartView(subject, { type }, names);
    return `(${json(rest)} || (coalesce(${stored}, '{}') - 'type' - 'aggregation')
      || jsonb_build_object('aggregation', ${withDefault(`(${stored} -> 'aggregation')`, aggregation)}))`;
  };
  const cases = subjects.flatMap(([cls, { family }]) =>
    (['VALUE', 'STATE'] as const).map((displayType) => {
      const subject = { family, displayType };
      return `WHEN n.class = ${literal(cls)} AND coalesce(n.config ->> 'displayType', 'VALUE') = '${displayType}'
        THEN CASE ${stored} ->> 'type' WHEN 'ColumnChart' THEN ${viewOf(subject, 'ColumnChart')}
          ELSE ${viewOf(subject, 'LineChart')} END`;
    }),
  );
  return { type: 'jsonb', sql: `(CASE ${cases.join(' ')} END)` };
}
